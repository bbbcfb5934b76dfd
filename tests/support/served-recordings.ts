import type { TestProject } from 'vitest/node';
import { toBase64 } from '../../src/storage/base64';
import { hasFixtures } from './fixtures';
import { readRecordings, type Recording } from './recordings';

/** A recording on its way into a browser. */
export interface ServedRecording extends Omit<Recording, 'bytes'> {
  readonly base64: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A list of `ServedRecording` as URI-encoded JSON, because the answers hold markup. Null where the recordings are not at hand. */
    recordings: string | null;
  }
}

const serve = ({ bytes, ...rest }: Recording): ServedRecording => ({ ...rest, base64: toBase64(bytes) });

/** Hands the recorded answers to browser tests, which can't read files. Where checks must be complete (CI) they must be there. */
export default function provideRecordings(project: TestProject): void {
  project.provide('recordings', hasFixtures ? encodeURIComponent(JSON.stringify(readRecordings().map(serve))) : null);
}
