import type { HostedPart } from '../../core/node';
import type { StreamEvent } from '../../core/stream';
import { isList, isRecord, parseJson, recordAt, textAt, toJson, type UnknownRecord } from '../../outbound/json';

/** Kinds of items that the provider's own server works off. Calls for the user's machine, which nobody offers, are not among them. */
const HOSTED = /^(web_search|file_search|code_interpreter|image_generation|tool_search|mcp)_call$|^mcp_(list_tools|approval_request)$/;

const DEFAULT_PICTURE_FORMAT = 'png';

/** Whether an item is work of the provider's server. */
export function isHostedItem(type: string): boolean {
  return HOSTED.test(type);
}

/** The event of a hosted item that has begun, or whose state alone is known. */
export function hostedState(id: string, item: UnknownRecord, status: HostedPart['status']): StreamEvent {
  return { type: 'hosted', id, name: nameOf(item), status };
}

/** The events of a finished hosted item: its picture, if it made one, and what it did, with the raw item to send back. */
export function hostedEvents(id: string, item: UnknownRecord): readonly StreamEvent[] {
  const isPicture = item['type'] === 'image_generation_call';
  const base64 = isPicture ? textAt(item, 'result') : undefined;
  const mimeType = `image/${textAt(item, 'output_format') ?? DEFAULT_PICTURE_FORMAT}`;
  const hasFailed = item['status'] === 'failed' || item['status'] === 'incomplete';
  const hosted: StreamEvent = {
    type: 'hosted',
    id,
    name: nameOf(item),
    status: hasFailed ? 'failed' : 'done',
    queries: queriesOf(item),
    sources: sourcesOf(item),
    // A picture is kept as a picture; its item would hold the bytes a second time.
    ...(isPicture ? {} : { data: toJson(item) }),
  };
  return base64 === undefined ? [hosted] : [{ type: 'image', mimeType, base64 }, hosted];
}

/** The kind of work as other protocols call it too. */
function nameOf(item: UnknownRecord): string {
  return (textAt(item, 'type') ?? '').replace(/_call$/, '');
}

function queriesOf(item: UnknownRecord): readonly string[] {
  const action = recordAt(item, 'action');
  const given = parseJson(textAt(item, 'arguments') ?? '');
  const single = [textAt(action, 'query'), isRecord(given) ? textAt(given, 'query') : undefined];
  const lists = [action['queries'], item['queries']].filter(isList).flat();
  return [...single, ...lists].filter((query) => typeof query === 'string').filter((query) => query !== '');
}

function sourcesOf(item: UnknownRecord): HostedPart['sources'] {
  const lists = [recordAt(item, 'action')['sources'], item['results']].filter(isList).flat();
  return lists.filter(isRecord).flatMap((source) => {
    const url = textAt(source, 'url');
    return url === undefined ? [] : [{ url, title: textAt(source, 'title') ?? '' }];
  });
}
