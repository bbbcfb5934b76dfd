import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { Account } from '../../src/core/account';
import { AppError, type Json } from '../../src/core/errors';
import { isList, isRecord, textAt, type UnknownRecord } from '../../src/outbound/json';
import type { Provider } from '../../src/providers/provider';
import { createTestGate } from '../outbound/test-gate';
import { hasFixtures } from '../support/fixtures';
import { recordingsOf, type Recording } from '../support/recordings';
import { CUTTINGS, eventBorders, streamOf } from './cuttings';
import { callsOf, citationsOf, expectedCalls, expectedCitations } from './expected-parts';
import { endsProperly, runProvider, testAccount, testRequest, type RunResult } from './run-provider';

export interface RecordingOptions {
  /** The value of `api` in the expected results. */
  readonly api: string;
  /** Fewer recordings than this fail: none may get lost. */
  readonly atLeast: number;
  readonly account?: Partial<Account>;
  /** The refusal of an answer whose expected result names none; empty where absent. */
  readonly refusalOf?: (expected: UnknownRecord) => string;
  /** The expected result where the house reads an answer otherwise than the recording's own file says. */
  readonly adapt?: (expected: UnknownRecord, name: string) => UnknownRecord;
  /** What only this protocol says: signatures, encrypted items, hosted work. */
  readonly checkMore?: (result: RunResult, expected: UnknownRecord, name: string) => void;
}

/** Replays every recording of a protocol through gate, provider and reduce: in every cutting, and aborted after events. */
export function describeRecordings(provider: Provider, options: RecordingOptions): void {
  const count = { passed: 0, all: 0 };
  afterAll(() => {
    if (hasFixtures) console.log(`${options.api} recordings through gate, provider and reduce: ${count.passed} / ${count.all}`);
    else console.log('recordings: skipped, the fixtures are not beside the repository');
  });

  describe.skipIf(!hasFixtures)(`recorded answers of ${options.api}`, () => {
    const { adapt } = options;
    const all = recordingsOf(options.api).map((recording) =>
      adapt === undefined ? recording : { ...recording, expected: adapt(recording.expected, recording.name) },
    );
    test('are all there', () => {
      expect(all.length).toBeGreaterThanOrEqual(options.atLeast);
    });

    for (const recording of all) {
      const play = (pieces: Iterable<Uint8Array>, abortAfter?: number): Promise<RunResult> =>
        replay(provider, recording, pieces, options.account, abortAfter);
      for (const [cutting, cut] of Object.entries(CUTTINGS)) {
        count.all += 1;
        test(`${recording.name}, cut ${cutting}`, async () => {
          const result = await play(cut(recording.bytes));
          checkResult(result, recording.expected, options.refusalOf?.(recording.expected));
          options.checkMore?.(result, recording.expected, recording.name);
          count.passed += 1;
        });
      }
      if (!recording.isStream) continue;
      count.all += 1;
      test(`${recording.name}, aborted after each event`, async () => {
        const whole = await play(eventBorders(recording.bytes));
        for (let after = 1; after < whole.events.length; after += abortStride(whole.events.length)) {
          const stopped = await play(eventBorders(recording.bytes), after);
          expect(stopped.failure).toBe('abort');
          expect(stopped.events).toEqual(whole.events.slice(0, after));
          expect(whole.text.startsWith(stopped.text) && whole.reasoning.startsWith(stopped.reasoning)).toBe(true);
        }
        count.passed += 1;
      });
    }
  });
}

/** One recording through a provider, as these pieces; aborted once so many events have come. */
export async function replay(
  provider: Provider,
  recording: Recording,
  pieces: Iterable<Uint8Array>,
  account: Partial<Account> = {},
  abortAfter?: number,
): Promise<RunResult> {
  const controller = new AbortController();
  const { gate } = createTestGate({
    fetch: () =>
      Promise.resolve(new Response(streamOf(pieces), { status: recording.status, headers: { 'content-type': recording.contentType } })),
  });
  return runProvider(provider, {
    gate,
    account: testAccount('https://api.example.test/v1', { provider: provider.id, ...account }),
    request: testRequest({ stream: recording.isStream }),
    controller,
    onEvent: (_event, events) => {
      if (events === abortAfter) controller.abort();
    },
  });
}

/** Everything that the expected results of all protocols say in the same words. */
export function checkResult(result: RunResult, expected: UnknownRecord, refusal = ''): void {
  expect(endsProperly(result)).toBe(true);
  expect(result.text).toBe(expected['text']);
  expect(result.reasoning).toBe(expected['reasoning']);
  expect(result.refusal).toBe(expected['refusal'] ?? refusal);
  if (isList(expected['textParts'])) expect(textsOf(result, 'text')).toEqual(expected['textParts']);
  if (isList(expected['reasoningParts'])) expect(textsOf(result, 'reasoning')).toEqual(expected['reasoningParts']);
  expect(callsOf(result.parts)).toEqual(expectedCalls(expected));
  expect(citationsOf(result.parts)).toEqual(expectedCitations(expected));
  expect(imagesOf(result)).toEqual(expected['images'] ?? []);
  expect(result.usage ?? null).toEqual(expected['usage']);
  checkEnd(result, expected);
}

/** The opaque data of the parts of a kind, in order; parts without any are left out. */
export function opaqueOf(result: RunResult, type: 'text' | 'reasoning' | 'tool' | 'hosted'): readonly Json[] {
  return result.parts.flatMap((part) => (part.type === type && part.opaque !== undefined ? [part.opaque.data] : []));
}

function checkEnd(result: RunResult, expected: UnknownRecord): void {
  const error = expected['error'];
  const isCut = expected['mustNotExecute'] === true && expected['finishReason'] === 'error';
  if (error == null && !isCut) {
    expect(result.failure).toBeUndefined();
    expect(result.events.at(-1)).toEqual({
      type: 'finish',
      reason: expected['finishReason'] ?? 'other',
      rawReason: expected['rawFinishReason'],
    });
    return;
  }
  expect(result.failure).toBeInstanceOf(AppError);
  if (!(result.failure instanceof AppError)) return;
  expect(result.failure.details['message'] ?? null).toBe(expectedMessage(error));
  if (isCut) expect(result.failure).toMatchObject({ code: 'stream-cut', retryable: true });
  if (isRecord(error) && error['kind'] === 'empty') expect(result.failure.code).toBe('answer-empty');
}

function expectedMessage(error: unknown): string | null {
  if (!isRecord(error)) return null;
  // The page of a proxy is quoted by its title alone.
  return textAt(error, 'message') ?? (error['kind'] === 'gateway' ? '502 Bad Gateway' : null);
}

/** Texts of the parts of a kind; parts that only carry opaque data have none. */
function textsOf(result: RunResult, type: 'text' | 'reasoning'): readonly string[] {
  return result.parts.flatMap((part) => (part.type === type && part.text !== '' ? [part.text] : []));
}

function imagesOf(result: RunResult): readonly unknown[] {
  return result.events.flatMap((event) => {
    if (event.type !== 'image') return [];
    const { mimeType, base64 } = event;
    return [{ mimeType, base64Length: base64.length, base64Sha256: createHash('sha256').update(base64).digest('hex') }];
  });
}

/** Every event of a short answer; of a long one about this many, as each abort replays it from the start. `EVERY_BORDER=1`: all of them. */
function abortStride(events: number): number {
  const MOST_ABORTS = 40;
  if (process.env['EVERY_BORDER'] === '1') return 1;
  return Math.max(1, Math.ceil(events / MOST_ABORTS));
}
