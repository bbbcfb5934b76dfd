import type { JsonObject } from '../../core/errors';
import type { HostedPart } from '../../core/node';
import type { StreamEvent } from '../../core/stream';
import { isList, isRecord, parseJson, recordAt, textAt, toJsonObject, type UnknownRecord } from '../../outbound/json';

/** Reads what the provider's own server does: a block that begins it and a block with its result, joined by the first one's id. */
export interface HostedReader {
  /** The work has begun. */
  start(use: UnknownRecord): readonly StreamEvent[];
  /** What it was told is complete; `inputText` is empty where the block itself says it. */
  stop(use: UnknownRecord, inputText: string): readonly StreamEvent[];
  finish(result: UnknownRecord): readonly StreamEvent[];
}

/** A reader for one answer. The raw blocks of a piece of work, in order, are its opaque data. */
export function createHostedReader(): HostedReader {
  const uses = new Map<string, JsonObject>();
  return {
    start(use) {
      return [{ type: 'hosted', ...nameOf(use), status: 'running' }];
    },
    stop(use, inputText) {
      const parsed = parseJson(inputText);
      const input = isRecord(parsed) ? parsed : recordAt(use, 'input');
      const block = toJsonObject({ ...use, input });
      const names = nameOf(use);
      uses.set(names.id, block);
      const query = textAt(input, 'query');
      return [{ type: 'hosted', ...names, status: 'running', ...(query === undefined ? {} : { queries: [query] }), data: [block] }];
    },
    finish(result) {
      const id = textAt(result, 'tool_use_id') ?? '';
      const use = uses.get(id);
      // The name of the use is known to the part; a result alone has only its type.
      const name = use === undefined ? (textAt(result, 'type') ?? '').replace(/_tool_result$/, '') : '';
      const status = hasFailed(result) ? 'failed' : 'done';
      const data = [...(use === undefined ? [] : [use]), toJsonObject(result)];
      return [{ type: 'hosted', id, name, status, sources: sourcesOf(result), data }];
    },
  };
}

function nameOf(use: UnknownRecord): { readonly id: string; readonly name: string } {
  return { id: textAt(use, 'id') ?? '', name: textAt(use, 'name') ?? '' };
}

function hasFailed(result: UnknownRecord): boolean {
  return result['is_error'] === true || textAt(recordAt(result, 'content'), 'error_code') !== undefined;
}

function sourcesOf(result: UnknownRecord): HostedPart['sources'] {
  const { content } = result;
  const entries = isList(content) ? content.filter(isRecord) : [recordAt(result, 'content')];
  return entries.flatMap((entry) => {
    const url = textAt(entry, 'url');
    return url === undefined ? [] : [{ url, title: textAt(entry, 'title') ?? url }];
  });
}
