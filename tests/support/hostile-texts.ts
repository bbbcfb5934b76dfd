import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

/** A text that tries to do harm when it is shown. */
export interface HostileText {
  readonly name: string;
  readonly text: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A list of `HostileText` as URI-encoded JSON, because what is provided is written into a page and these texts break out of it.
     * Null where the collection is not at hand.
     */
    hostileTexts: string | null;
  }
}

const FOLDER = path.resolve(import.meta.dirname, '../../../shared/fixtures/hostile');
const SETS = [
  'xss/dompurify-payloads.json',
  'xss/payloads-all-the-things.json',
  'markdown/exfiltration.json',
  'markdown/render-injection.json',
  'text/naughty-strings.json',
  'text/tricks.json',
];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';

/** The words of one entry: a plain string, or an object that names them `payload` or `text`, the latter sometimes in pieces. */
function readEntry(entry: unknown): string | null {
  const value = isRecord(entry) ? (entry['payload'] ?? entry['text']) : entry;
  if (Array.isArray(value)) return value.filter(isText).join('');
  return isText(value) ? value : null;
}

function readSet(name: string): readonly HostileText[] {
  const parsed: unknown = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8'));
  const entries: unknown = isRecord(parsed) ? (parsed['payloads'] ?? parsed['strings']) : null;
  if (!Array.isArray(entries)) throw new Error(`${name} holds no list.`);
  return entries.flatMap((entry, at) => {
    const text = readEntry(entry);
    return text === null ? [] : [{ name: `${name} ${at}`, text }];
  });
}

/** Hands the collection to browser tests, which can't read files. Where checks must be complete (CI) it must be there. */
export default function provideHostileTexts(project: TestProject): void {
  const isThere = existsSync(FOLDER);
  if (!isThere && process.env['CI'] === 'true') throw new Error(`The hostile texts are missing: ${FOLDER}`);
  project.provide('hostileTexts', isThere ? encodeURIComponent(JSON.stringify(SETS.flatMap(readSet))) : null);
}
