import type { ModelFile } from '../core/local-model';
import type { Gate } from '../outbound/gate';
import { isList, isRecord, numberAt, recordAt, textAt } from '../outbound/json';

/** Where the addresses of the catalogue begin. */
const HUB = 'https://huggingface.co/';

/** A file's place on the hub: `<owner>/<repository>/resolve/<revision>/<path>`. */
const PLACE = /^([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/;

/** The address at the user's mirror; one that is not the hub's stays. */
export function atHost(url: string, modelHost: string): string {
  return url.startsWith(HUB) ? `${modelHost}${url.slice(HUB.length)}` : url;
}

/**
 * The files with size and hash as the hub tells them; what it does not tell stays as it was. A mirror without that list is no failure: then
 * the sizes come with the files.
 */
export async function describeFiles(
  files: readonly ModelFile[],
  gate: Gate,
  { modelHost, signal }: { readonly modelHost: string; readonly signal: AbortSignal },
): Promise<readonly ModelFile[]> {
  const lists = new Map<string, ReadonlyMap<string, Pick<ModelFile, 'bytes' | 'sha256'>>>();
  const described: ModelFile[] = [];
  for (const file of files) {
    const [, repository, revision, path] = PLACE.exec(file.url.startsWith(HUB) ? file.url.slice(HUB.length) : '') ?? [];
    if (repository === undefined || revision === undefined || path === undefined) {
      described.push(file);
      continue;
    }
    const address = `${modelHost}api/models/${repository}/tree/${revision}`;
    const known = lists.get(address) ?? (await readList(address, gate, signal));
    lists.set(address, known);
    const told = known.get(path);
    described.push({ ...file, bytes: told?.bytes ?? file.bytes, sha256: told?.sha256 ?? file.sha256 });
  }
  return described;
}

async function readList(
  address: string,
  gate: Gate,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Pick<ModelFile, 'bytes' | 'sha256'>>> {
  try {
    const response = await gate.fetch(address, { purpose: 'model-download', signal, expect: 'json' });
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
