import Dexie from 'dexie';
import { describe, expect, inject, test } from 'vitest';
import { fromBase64 } from '../../src/storage/base64';
import type { Recording } from '../support/recordings';
import type { ServedRecording } from '../support/served-recordings';
import { describeStoredAnswers } from './stored-answers';

const encoded = inject('recordings');
if (encoded === null) console.log('Skipped: the recorded answers are not at hand.');

function readServed(text: string): readonly Recording[] {
  const served: readonly ServedRecording[] = JSON.parse(decodeURIComponent(text));
  return served.map(({ base64, ...rest }) => {
    const bytes = fromBase64(base64);
    if (bytes === undefined) throw new Error(`${rest.name} arrived damaged`);
    return { ...rest, bytes };
  });
}

describe.skipIf(encoded === null)('recorded answers in the database of the browser', () => {
  test('it is no imitation', () => {
    expect(Dexie.dependencies.indexedDB).toBe(indexedDB);
    expect(indexedDB).toBeInstanceOf(IDBFactory);
    expect(Function.prototype.toString.call(indexedDB.open)).toContain('[native code]');
  });
  describeStoredAnswers(encoded === null ? [] : readServed(encoded));
});
