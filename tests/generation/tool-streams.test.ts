import { afterAll, describe, expect, test } from 'vitest';
import { isOnDevice } from '../../src/core/account';
import { partsOf, type MessageNode } from '../../src/core/node';
import { isList, isRecord, type UnknownRecord } from '../../src/outbound/json';
import { send } from '../../src/generation/entries';
import { PROVIDERS } from '../../src/providers';
import { saveAccount } from '../../src/storage/accounts';
import { readNode } from '../../src/storage/content';
import { writeSetting } from '../../src/storage/settings';
import { createTestGate } from '../outbound/test-gate';
import { CUTTINGS, streamOf } from '../providers/cuttings';
import { testAccount } from '../providers/run-provider';
import { freshDatabase, stampAt } from '../storage/support';
import { hasFixtures } from '../support/fixtures';
import { MODEL, testDesk } from '../support/generation';
import { openTool, type ToolRun } from '../support/open-tool';
import { readRecordings, type Recording } from '../support/recordings';
import { wireFaultsIn } from '../support/wire-faults';
import type { WireRequest } from '../support/wire-turns';

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000009';
const APIS: Readonly<Record<string, string>> = {
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
  'anthropic-messages': 'anthropic',
  'google-generative': 'gemini',
};

if (!hasFixtures) console.log('Skipped: the recorded answers are not beside the repository.');

/** Every recorded answer that calls tools, with those tools really there. */
const recordings = readRecordings().filter(({ expected }) => callsIn(expected).length > 0);

describe.skipIf(!hasFixtures)('of a recorded answer', () => {
  let passed = 0;
  afterAll(() => console.log(`tool streams that ran exactly what they should: ${String(passed)} / ${String(recordings.length)}`));

  test.each(recordings.map((recording) => [recording.name, recording] as const))(
    '%s runs exactly what it calls',
    async (_name, recording) => {
      const { node, runs, requests } = await answered(recording);
      const { expected } = recording;
      const wanted = callsIn(expected).filter(isRunnable(expected));
      // Two answers spliced into one stream: ending with an error, and nothing run, is right as well.
      if (!(isList(expected['alternatives']) && node.status === 'failed' && runs.length === 0)) {
        expect(runs).toEqual(wanted.map((call) => ({ name: call['name'], arguments: call['arguments'] })));
      }
      const calls = partsOf(node).filter((part) => part.type === 'tool');
      expect(calls.every(({ execution }) => execution !== 'open' && execution !== 'running')).toBe(true);
      if (expected['mustNotExecute'] === true) expect(runs).toEqual([]);
      // Whatever goes on is a request that a strict server takes.
      expect(requests.flatMap((request) => wireFaultsIn(request))).toEqual([]);
      passed += 1;
    },
  );

  test('there are some of each protocol', () => {
    expect(new Set(recordings.map(({ api }) => api)).size).toBe(4);
  });
});

function callsIn(expected: UnknownRecord): readonly UnknownRecord[] {
  return isList(expected['toolCalls']) ? expected['toolCalls'].filter(isRecord) : [];
}

/** Cut ones never run; free text is for tools that we don't offer. */
function isRunnable(expected: UnknownRecord): (call: UnknownRecord) => boolean {
  return (call) => expected['mustNotExecute'] !== true && isRecord(call['arguments']) && call['kind'] !== 'custom';
}

async function answered({ api, bytes, expected, status, contentType, isStream }: Recording): Promise<{
  node: MessageNode;
  runs: readonly ToolRun[];
  requests: readonly WireRequest[];
}> {
  const provider = PROVIDERS.find(({ id }) => !isOnDevice({ provider: id }) && APIS[id] === api);
  if (provider === undefined) throw new Error(`nobody reads ${api}`);
  const database = await freshDatabase(`tool-streams-${String((databases += 1))}`);
  const account = testAccount('https://api.example.test/v1', {
    id: MODEL.accountId,
    provider: provider.id,
    streaming: isStream,
    overrides: { [MODEL.modelId]: { tools: true } },
  });
  await saveAccount(database, account, 'sk-test', stampAt(1));
  await writeSetting(database, 'defaultModel', MODEL, stampAt(1));
  const runs: ToolRun[] = [];
  const names = new Set(callsIn(expected).map((call) => (typeof call['name'] === 'string' ? call['name'] : '')));
  const setup = await testDesk({ database, tools: [...names].map((name) => openTool(name, runs)) });
  const requests: WireRequest[] = [];
  const { gate } = createTestGate({
    fetch: (url, init) => {
      const body: unknown = JSON.parse(typeof init?.body === 'string' ? init.body : 'null');
      requests.push({ path: new URL(url instanceof Request ? url.url : url).pathname, body });
      // After the recorded answer the server has had enough: what it would say next is not recorded.
      if (requests.length > 1) {
        return Promise.resolve(
          new Response('{"error":{"message":"enough"}}', { status: 400, headers: { 'content-type': 'application/json' } }),
        );
      }
      return Promise.resolve(new Response(streamOf(CUTTINGS['at random'](bytes)), { status, headers: { 'content-type': contentType } }));
    },
  });
  const environment = { ...setup.desk.environment, gate, providers: PROVIDERS, sleep: async () => Promise.resolve() };
  const desk = { ...setup.desk, environment };
  const held = await desk.sessions.acquire(CONVERSATION);
  if (held === null) throw new Error('the lock was free');
  const draft = { text: 'Hello', attachments: [] };
  const messageId = 'bbbbbbbb-0000-4000-8000-000000000009';
  const { answerId } = await send(desk, held.session, { isNew: true, messageId, draft, answer: true, model: null });
  await setup.heard.end();
  const node = await readNode(database, CONVERSATION, answerId ?? '');
  await database.delete();
  if (node === undefined) throw new Error('the answer is stored');
  return { node, runs, requests };
}

let databases = 0;
