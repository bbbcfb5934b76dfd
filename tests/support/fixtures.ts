import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of recorded data beside the repository. It is not part of it. */
const ROOT = new URL('../../../shared/fixtures/', import.meta.url);

/** Whether the recorded data is there. Without it tests say that they were skipped; where CI is set that is a failure. */
export const hasFixtures: boolean = existsSync(ROOT);

if (!hasFixtures && process.env['CI'] === 'true') throw new Error('The recorded fixtures are missing, and CI must not skip them.');

/** The path of a file or folder below the fixtures, such as `streams/errors`. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(name, ROOT));
}

/** The bytes of a fixture. */
export function readFixture(name: string): Buffer {
  return readFileSync(fixturePath(name));
}

/** A JSON fixture; its shape is checked by who reads it. */
export function readJsonFixture(name: string): unknown {
  const value: unknown = JSON.parse(readFixture(name).toString('utf8'));
  return value;
}

/** Names of the files below a folder with this ending, relative to the fixtures, ordered; none where the fixtures are missing. */
export function listFixtures(folder: string, ending: string): readonly string[] {
  if (!hasFixtures) return [];
  return readdirSync(fixturePath(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
    .sort();
}
