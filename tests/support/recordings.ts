import { isRecord, textAt, type UnknownRecord } from '../../src/outbound/json';
import { listFixtures, readFixture, readJsonFixture } from './fixtures';

/** A recorded answer with what has to be read out of it. */
export interface Recording {
  readonly name: string;
  /** Its protocol, as the expected results call it. */
  readonly api: string;
  readonly bytes: Uint8Array;
  readonly expected: UnknownRecord;
  readonly status: number;
  readonly contentType: string;
  readonly isStream: boolean;
}

const BODY_ENDINGS = ['.sse', '.body.json', '.body.html', '.json'] as const;

/** Every recording that names its protocol; none where the fixtures are missing. */
export function readRecordings(): readonly Recording[] {
  const files = new Set(listFixtures('streams', ''));
  return listFixtures('streams', '.expected.json').flatMap((path): readonly Recording[] => {
    const expected = readJsonFixture(path);
    const api = isRecord(expected) ? textAt(expected, 'api') : undefined;
    if (!isRecord(expected) || api === undefined) return [];
    const base = path.replace('.expected.json', '');
    const file = BODY_ENDINGS.map((ending) => base + ending).find((candidate) => files.has(candidate));
    if (file === undefined) throw new Error(`${path} has no body beside it`);
    const http = isRecord(expected['http']) ? expected['http'] : {};
    const isStream = file.endsWith('.sse');
    return [
      {
        name: base.replace('streams/', ''),
        api,
        bytes: readFixture(file),
        expected,
        status: typeof http['status'] === 'number' ? http['status'] : 200,
        contentType: textAt(http, 'contentType') ?? (isStream ? 'text/event-stream' : 'application/json'),
        isStream,
      },
    ];
  });
}

/** The recordings of a protocol, by the `api` of their expected results. */
export function recordingsOf(api: string): readonly Recording[] {
  return readRecordings().filter((recording) => recording.api === api);
}
