import { afterAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/core/errors';
import { isRecord, textAt, type UnknownRecord } from '../../src/outbound/json';
import { createOpenAiChat } from '../../src/providers/openai-chat';
import { createTestGate } from '../outbound/test-gate';
import { hasFixtures, listFixtures, readFixture, readJsonFixture } from '../support/fixtures';
import { CUTTINGS, eventBorders, streamOf } from './cuttings';
import { endsProperly, runProvider, testAccount, testRequest, type RunResult } from './run-provider';

interface Recording {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly expected: UnknownRecord;
  readonly status: number;
  readonly contentType: string;
  readonly isStream: boolean;
}

const BODY_ENDINGS = ['.sse', '.body.json', '.body.html', '.json'] as const;
const provider = createOpenAiChat();
const count = { passed: 0, all: 0 };

function recordings(): readonly Recording[] {
  const files = listFixtures('streams', '');
  return listFixtures('streams', '.expected.json').flatMap((path): readonly Recording[] => {
    const expected = readJsonFixture(path);
    if (!isRecord(expected) || expected['api'] !== 'openai-chat') return [];
    const base = path.replace('.expected.json', '');
    const file = BODY_ENDINGS.map((ending) => base + ending).find((candidate) => files.includes(candidate));
    if (file === undefined) throw new Error(`${path} has no body beside it`);
    const http = isRecord(expected['http']) ? expected['http'] : {};
    const isStream = file.endsWith('.sse');
    return [
      {
        name: base.replace('streams/', ''),
        bytes: readFixture(file),
        expected,
        status: typeof http['status'] === 'number' ? http['status'] : 200,
        contentType: textAt(http, 'contentType') ?? (isStream ? 'text/event-stream' : 'application/json'),
        isStream,
      },
    ];
  });
}

async function replay(recording: Recording, pieces: Iterable<Uint8Array>, abortAfter?: number): Promise<RunResult> {
  const controller = new AbortController();
  const { gate } = createTestGate({
    fetch: () =>
      Promise.resolve(new Response(streamOf(pieces), { status: recording.status, headers: { 'content-type': recording.contentType } })),
  });
  const account = testAccount('https://api.example.test/v1');
  const request = testRequest({ stream: recording.isStream });
  return runProvider(provider, {
    gate,
    account,
    request,
    controller,
    onEvent: (_event, events) => {
      if (events === abortAfter) controller.abort();
    },
  });
}

/** The result in the words of the expected files, as far as this protocol's events can say it. */
function check(result: RunResult, expected: UnknownRecord): void {
  expect(endsProperly(result)).toBe(true);
  expect(result.text).toBe(expected['text']);
  expect(result.reasoning).toBe(expected['reasoning']);
  expect(result.refusal).toBe(expected['refusal'] ?? '');
  expect(callsOf(result)).toEqual(expectedCalls(expected));
  expect(result.usage ?? null).toEqual(expected['usage']);
  const isCut = expected['mustNotExecute'] === true;
  if (expected['error'] == null && !isCut) {
    expect(result.failure).toBeUndefined();
    expect(result.events.at(-1)).toEqual({
      type: 'finish',
      reason: expected['finishReason'],
      rawReason: expected['rawFinishReason'],
    });
    return;
  }
  expect(result.failure).toBeInstanceOf(AppError);
  if (!(result.failure instanceof AppError)) return;
  expect(result.failure.details['message'] ?? null).toBe(expectedMessage(expected['error']));
  if (isCut) expect(result.failure).toMatchObject({ code: 'stream-cut', retryable: true });
}

function expectedMessage(error: unknown): string | null {
  if (!isRecord(error)) return null;
  // The page of a proxy is quoted by its title alone.
  return textAt(error, 'message') ?? (error['kind'] === 'gateway' ? '502 Bad Gateway' : null);
}

function callsOf(result: RunResult): readonly unknown[] {
  return result.parts
    .filter((part) => part.type === 'tool')
    .map(({ wireId, name, argumentsText }) => ({ wireId, name, ...read(argumentsText) }));
}

function expectedCalls(expected: UnknownRecord): readonly unknown[] {
  const calls = Array.isArray(expected['toolCalls']) ? expected['toolCalls'].filter(isRecord) : [];
  return calls.map((call) => {
    const { id, name, arguments: parsed, argumentsText } = call;
    return { wireId: id, name, ...(parsed === null ? { cut: argumentsText } : { parsed }) };
  });
}

function read(argumentsText: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(argumentsText.trim() === '' ? '{}' : argumentsText);
    return { parsed };
  } catch {
    return { cut: argumentsText };
  }
}

afterAll(() => {
  if (hasFixtures) console.log(`recordings through gate, provider and reduce: ${count.passed} / ${count.all}`);
  else console.log('recordings: skipped, the fixtures are not beside the repository');
});

describe.skipIf(!hasFixtures)('recorded answers', () => {
  const all = recordings();
  test('are all there', () => {
    expect(all.length).toBeGreaterThanOrEqual(69);
  });

  for (const recording of all) {
    for (const [cutting, cut] of Object.entries(CUTTINGS)) {
      count.all += 1;
      test(`${recording.name}, cut ${cutting}`, async () => {
        check(await replay(recording, cut(recording.bytes)), recording.expected);
        count.passed += 1;
      });
    }
    if (!recording.isStream) continue;
    count.all += 1;
    test(`${recording.name}, aborted after each event`, async () => {
      const whole = await replay(recording, eventBorders(recording.bytes));
      for (let after = 1; after < whole.events.length; after += abortStride(whole.events.length)) {
        const stopped = await replay(recording, eventBorders(recording.bytes), after);
        expect(stopped.failure).toBe('abort');
        expect(stopped.events).toEqual(whole.events.slice(0, after));
        expect(whole.text.startsWith(stopped.text) && whole.reasoning.startsWith(stopped.reasoning)).toBe(true);
      }
      count.passed += 1;
    });
  }
});

/** Every event of a short answer; of a long one about this many, as each abort replays it from the start. */
function abortStride(events: number): number {
  const MOST_ABORTS = 40;
  return Math.max(1, Math.ceil(events / MOST_ABORTS));
}
