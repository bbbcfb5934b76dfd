import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeReasoning } from '../../src/core/stream';
import { partsOf, textOf, type MessageNode, type Part } from '../../src/core/node';
import { DEFAULT_CONTROLS } from '../../src/core/tool';
import type { Desk } from '../../src/generation/desk';
import { send } from '../../src/generation/entries';
import { isList, isRecord, type UnknownRecord } from '../../src/outbound/json';
import { isOnDevice } from '../../src/core/account';
import { PROVIDERS } from '../../src/providers';
import type { Provider } from '../../src/providers/provider';
import { saveAccount } from '../../src/storage/accounts';
import { readBlob } from '../../src/storage/blobs';
import { readNode } from '../../src/storage/content';
import type { JackdawDatabase } from '../../src/storage/db';
import { writeSetting } from '../../src/storage/settings';
import { createTestGate } from '../outbound/test-gate';
import { CUTTINGS, streamOf, type Cutting } from '../providers/cuttings';
import { callsOf, citationsOf, expectedCalls, expectedCitations } from '../providers/expected-parts';
import { testAccount } from '../providers/run-provider';
import { freshDatabase, stampAt } from '../storage/support';
import { MODEL, testDesk } from '../support/generation';
import type { Recording } from '../support/recordings';

/** The `api` of the recordings that a provider reads. */
const APIS: Readonly<Record<string, string>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic',
  'google-generative': 'gemini',
};

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000009';
const DATABASE = 'stored-answers-';
/** What a turn only reads. */
const KEPT: ReadonlySet<string> = new Set(['accounts', 'keys', 'settings']);
let databases = 0;

/**
 * Sends every recorded answer of every provider, in these cuttings, through gate, provider, turn and storage, and reads back what the thread
 * would show. Prints how many of how many came through.
 */
export function describeStoredAnswers(recordings: readonly Recording[], cuttings: Readonly<Record<string, Cutting>> = CUTTINGS): void {
  // What an engine on this device says was never recorded: the real one runs in the tests.
  for (const provider of PROVIDERS.filter(({ id }) => !isOnDevice({ provider: id }))) {
    const own = recordings.filter((recording) => recording.api === APIS[provider.id]);
    describe(`answers of ${provider.id} on their way to the disk and back`, () => {
      const count = { passed: 0, all: 0 };
      afterAll(() => console.log(`${provider.id}, stored and read back: ${count.passed} / ${count.all}`));
      test('there are some', () => {
        expect(own).not.toEqual([]);
      });
      for (const recording of own) describeRecording(provider, recording, cuttings, count);
    });
  }
  test('no database is left behind', async () => {
    const left = (await indexedDB.databases()).filter(({ name }) => name?.startsWith(DATABASE));
    expect(left).toEqual([]);
  });
}

/** One database for all cuttings, as opening it takes long beside a turn; it is empty before each and gone after the last. */
function describeRecording(
  provider: Provider,
  recording: Recording,
  cuttings: Readonly<Record<string, Cutting>>,
  count: { passed: number; all: number },
): void {
  describe(recording.name, () => {
    let database: JackdawDatabase;
    beforeAll(async () => {
      database = await databaseFor(provider, recording);
    });
    afterEach(() => forgetAnswers(database));
    afterAll(() => database.delete());
    for (const [cutting, cut] of Object.entries(cuttings)) {
      count.all += 1;
      test(`cut ${cutting}`, async () => {
        const node = await answered(database, recording, cut);
        checkAnswer(node, recording.expected);
        await checkFiles(node, database);
        count.passed += 1;
      });
    }
  });
}

async function databaseFor(provider: Provider, { isStream }: Recording): Promise<JackdawDatabase> {
  const database = await freshDatabase(`${DATABASE}${(databases += 1)}`);
  const account = testAccount('https://api.example.test/v1', { id: MODEL.accountId, provider: provider.id, streaming: isStream });
  await saveAccount(database, account, 'sk-test', stampAt(1));
  await writeSetting(database, 'defaultModel', MODEL, stampAt(1));
  // One answer each; what becomes of calls is another test.
  await writeSetting(database, 'controls', { ...DEFAULT_CONTROLS, mode: 'text' }, stampAt(1));
  return database;
}

async function forgetAnswers(database: JackdawDatabase): Promise<void> {
  const tables = database.tables.filter(({ name }) => !KEPT.has(name));
  await database.transaction('rw', tables, () => Promise.all(tables.map((table) => table.clear())));
}

/** A turn over a recorded answer: the whole way to the disk, and back as the thread reads it. */
async function answered(database: JackdawDatabase, recording: Recording, cut: Cutting): Promise<MessageNode> {
  const setup = await testDesk({ database });
  const { gate } = createTestGate({
    fetch: () =>
      Promise.resolve(
        new Response(streamOf(cut(recording.bytes)), { status: recording.status, headers: { 'content-type': recording.contentType } }),
      ),
  });
  const environment = { ...setup.desk.environment, gate, providers: PROVIDERS, sleep: async () => Promise.resolve() };
  const desk: Desk = { ...setup.desk, environment };
  const held = await desk.sessions.acquire(CONVERSATION);
  if (held === null) throw new Error('the lock was free');
  const draft = { text: 'Hello', attachments: [] };
  const messageId = 'bbbbbbbb-0000-4000-8000-000000000009';
  const { answerId } = await send(desk, held.session, { isNew: true, messageId, draft, answer: true, model: null });
  await setup.heard.end();
  const node = await readNode(database, CONVERSATION, answerId ?? '');
  if (node === undefined) throw new Error('the answer is stored');
  return node;
}

function checkAnswer(node: MessageNode, expected: UnknownRecord): void {
  const parts = partsOf(node);
  expect(node.status).not.toBe('running');
  expect(parts.every(isAtRest)).toBe(true);
  // Two answers spliced into one stream: ending with an error is right as well.
  if (isList(expected['alternatives']) && node.status === 'failed') return;
  expect(textsOf(parts, 'text').trim()).toBe(wanted(expected, 'text'));
  expect(textsOf(parts, 'reasoning').trim()).toBe(wanted(expected, 'reasoning'));
  expect(closeReasoning(parts, 0)).toEqual(parts);
  expect(callsOf(parts)).toEqual(expectedCalls(expected));
  expect(citationsOf(parts)).toEqual(expectedCitations(expected));
  const images = expected['images'];
  expect(parts.filter((part) => part.type === 'media')).toHaveLength(isList(images) ? images.length : 0);
  if (isRecord(expected['error'])) expect(node.status).toBe('failed');
  expect(textOf(parts)).not.toContain('[object Object]');
}

async function checkFiles(node: MessageNode, database: JackdawDatabase): Promise<void> {
  for (const part of partsOf(node))
    if (part.type === 'media') expect((await readBlob(database, part.blob))?.sizeBytes).toBe(part.sizeBytes);
}

const isAtRest = (part: Part): boolean => part.type !== 'tool' || part.execution !== 'open';

function textsOf(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}

/** What the expected result says once tags are read, compared without the blanks around it. */
function wanted(expected: UnknownRecord, field: 'text' | 'reasoning'): string {
  const tagged = expected['afterThinkTags'];
  const value = isRecord(tagged) ? tagged[field] : expected[field];
  return typeof value === 'string' ? value.trim() : '';
}
