import type { ModelFile } from '../core/local-model';
import type { Gate } from '../outbound/gate';
import { isList, isRecord, numberAt, recordAt, textAt } from '../outbound/json';

/** Where the addresses of the catalogue begin. */
const HUB = 'https://huggingface.co/';

/** A file's place on the hub: `<owner>/<repository>/resolve/<revision>/<path>`. */
const PLACE = /^([^/]+\/[^/]+)\/resolve\/([^/]+)\/([^?#]+)/;

/** The list is a help, not a need: a mirror that does not answer for it is not waited for. */
const LIST_SILENCE_MS = 15_000;

type Told = Pick<ModelFile, 'bytes' | 'sha256'>;

export interface HubAccess {
  readonly gate: Gate;
  /** The user's mirror, ending in a slash. */
  readonly modelHost: string;
  readonly signal: AbortSignal;
}

/** The address at the user's mirror; one that is not the hub's stays. */
export function atHost(url: string, modelHost: string): string {
  return url.startsWith(HUB) ? `${modelHost}${url.slice(HUB.length)}` : url;
}

/**
 * The files with size and hash as the hub tells them; what was known before counts more. A mirror without that list is no failure: then the
 * sizes come with the files.
 */
export async function describeFiles(files: readonly ModelFile[], access: HubAccess): Promise<readonly ModelFile[]> {
  const lists = new Map<string, ReadonlyMap<string, Told>>();
  const described: ModelFile[] = [];
  for (const file of files) {
    const place = placeOf(file.url, access.modelHost);
    const known = place === null ? undefined : (lists.get(place.list) ?? (await readList(place.list, access)));
    if (place !== null && known !== undefined) lists.set(place.list, known);
    const told = place === null ? undefined : known?.get(place.path);
    described.push({ ...file, bytes: file.bytes ?? told?.bytes ?? null, sha256: file.sha256 ?? told?.sha256 ?? null });
  }
  return described;
}

/** Where the hub lists the folder of a file, and the file's path in the list; null for a file that lies elsewhere. */
function placeOf(url: string, modelHost: string): { readonly list: string; readonly path: string } | null {
  const address = atHost(url, modelHost);
  const [, repository, revision, path] = PLACE.exec(address.startsWith(modelHost) ? address.slice(modelHost.length) : '') ?? [];
  if (repository === undefined || revision === undefined || path === undefined) return null;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const list = `${modelHost}api/models/${repository}/tree/${revision}`;
  return { list: folder === '' ? list : `${list}/${folder}`, path: readable(path) };
}

async function readList(address: string, { gate, signal }: HubAccess): Promise<ReadonlyMap<string, Told>> {
  try {
    const response = await gate.fetch(address, { purpose: 'model-download', signal, expect: 'json', timeoutMs: LIST_SILENCE_MS });
    const entries: unknown = await response.json();
    return new Map(
      (isList(entries) ? entries.filter(isRecord) : []).map((entry) => {
        const large = recordAt(entry, 'lfs');
        const bytes = numberAt(large, 'size') ?? numberAt(entry, 'size') ?? null;
        return [textAt(entry, 'path') ?? '', { bytes, sha256: textAt(large, 'oid') ?? null }];
      }),
    );
  } catch {
    // The offline lock and a missing network are told by the first file.
    signal.throwIfAborted();
    return new Map();
  }
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
