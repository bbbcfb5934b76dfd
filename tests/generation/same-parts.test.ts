import { expect, test } from 'vitest';
import type { Part } from '../../src/core/node';
import { decide } from '../../src/generation/decisions';
import { send } from '../../src/generation/entries';
import { isList, isRecord } from '../../src/outbound/json';
import { PROVIDERS } from '../../src/providers';
import { saveAccount } from '../../src/storage/accounts';
import { readBranch } from '../../src/storage/content';
import { writeSetting } from '../../src/storage/settings';
import { createTestGate } from '../outbound/test-gate';
import { testAccount } from '../providers/run-provider';
import { freshDatabase, stampAt } from '../storage/support';
import { MODEL, testDesk } from '../support/generation';
import { spoken, SPOKEN_PROTOCOLS, type SpokenProtocol, type SpokenStep } from '../support/spoken-answers';
import { echoTool } from '../support/test-tools';
import { wireFaultsIn } from '../support/wire-faults';
import type { WireRequest } from '../support/wire-turns';

const CONVERSATION = 'aaaaaaaa-0000-4000-8000-000000000009';

/** Two calls at once, a bare call, one that the user approves, one that fails, words between them, and a second message. */
const SCRIPT: readonly SpokenStep[] = [
  {
    text: 'First two at once.',
    calls: [
      { id: 'call_1', name: 'echo', args: { text: 'one' } },
      { id: 'call_2', name: 'echo', args: { text: '二' } },
    ],
  },
  { calls: [{ id: 'call_3', name: 'echo', args: { text: 'bare' } }] },
  { calls: [{ id: 'call_4', name: 'echo', args: { wrong: true } }] },
  { text: 'Now to pay.', calls: [{ id: 'call_5', name: 'pay', args: { text: '5' } }] },
  { text: 'All of it is done.' },
  { text: 'You are welcome.' },
];

interface Outcome {
  readonly stored: readonly unknown[];
  readonly requests: readonly WireRequest[];
  readonly runs: readonly string[];
}

const outcomes = new Map<string, Outcome>();
const cases = SPOKEN_PROTOCOLS.flatMap((protocol) =>
  [true, false].map((isStream) => [protocol, isStream ? 'streamed' : 'whole', isStream] as const),
);

test.each(cases)('%s, %s: the conversation runs, and every request is one that a strict server takes', async (protocol, how, isStream) => {
  const outcome = await converse(protocol, isStream);
  outcomes.set(`${protocol}, ${how}`, outcome);
  expect(outcome.runs).toEqual(['echo:one', 'echo:二', 'echo:bare', 'pay:5']);
  expect(outcome.requests).toHaveLength(SCRIPT.length);
  expect(outcome.requests.flatMap((request) => wireFaultsIn(request))).toEqual([]);
});

test('all of them store the same parts', () => {
  expect(outcomes.size).toBe(cases.length);
  const [first, ...rest] = [...outcomes.values()];
  expect(first?.stored).toHaveLength(4);
  for (const { stored } of rest) expect(stored).toEqual(first?.stored);
});

test.each(cases)('%s, %s: what was sent before is sent again unchanged, byte for byte', (protocol, how) => {
  const turns = (outcomes.get(`${protocol}, ${how}`)?.requests ?? []).map(({ body }) => turnsIn(body));
  turns.slice(1).forEach((turn, index) => {
    const before = turns[index] ?? [];
    expect(JSON.stringify(turn.slice(0, before.length))).toBe(JSON.stringify(before));
    expect(turn.length).toBeGreaterThan(before.length);
  });
  const heads = (outcomes.get(`${protocol}, ${how}`)?.requests ?? []).map(({ body }) => JSON.stringify(headIn(body)));
  expect(new Set(heads).size).toBe(1);
});

async function converse(protocol: SpokenProtocol, isStream: boolean): Promise<Outcome> {
  const database = await freshDatabase(`same-parts-${protocol}-${String(isStream)}`);
  const account = testAccount('https://api.example.test/v1', {
    id: MODEL.accountId,
    provider: protocol,
    streaming: isStream,
    overrides: { [MODEL.modelId]: { tools: true } },
  });
  await saveAccount(database, account, 'sk-test', stampAt(1));
  await writeSetting(database, 'defaultModel', MODEL, stampAt(1));
  const runs: string[] = [];
  const setup = await testDesk({ database, tools: [echoTool(runs), echoTool(runs, { name: 'pay', approval: 'ask' })] });
  const requests: WireRequest[] = [];
  const { gate } = createTestGate({
    fetch: (url, init) => {
      const body: unknown = JSON.parse(typeof init?.body === 'string' ? init.body : 'null');
      requests.push({ path: new URL(url instanceof Request ? url.url : url).pathname, body });
      return Promise.resolve(spoken(protocol, SCRIPT[requests.length - 1] ?? {}, isStream));
    },
  });
  const desk = { ...setup.desk, environment: { ...setup.desk.environment, gate, providers: PROVIDERS } };
  const held = await desk.sessions.acquire(CONVERSATION);
  if (held === null) throw new Error('the lock was free');
  const say = async (number: number) => {
    const messageId = `bbbbbbbb-0000-4000-8000-00000000000${String(number)}`;
    const draft = { text: `Message ${String(number)}`, attachments: [] };
    return send(desk, held.session, { isNew: number === 1, messageId, draft, answer: true, model: null });
  };
  const { answerId } = await say(1);
  await setup.heard.end();
  const waiting = await database.waits.toArray();
  const callId = waiting[0]?.callId ?? '';
  await decide(desk, held.session, { conversationId: CONVERSATION, nodeId: answerId ?? '', callId }, { type: 'approve', scope: 'once' });
  await setup.heard.end(2);
  await say(2);
  await setup.heard.end(3);
  const nodes = (await readBranch(database, CONVERSATION, { limit: 9 }))?.nodes ?? [];
  await database.delete();
  return {
    stored: nodes.map(({ role, status, steps }) => ({ role, status, steps: steps.map(({ parts }) => parts.map(withoutNames)) })),
    requests,
    runs,
  };
}

/** Without what is each provider's and each run's own: ids, times, signatures. */
function withoutNames(part: Part): unknown {
  if (part.type === 'text') return { type: part.type, step: part.step, text: part.text };
  if (part.type !== 'tool') return part;
  const { type, step, name, argumentsText, approval, execution, failure, result } = part;
  const args: unknown = JSON.parse(argumentsText);
  return { type, step, name, args, approval, execution, failure, text: result?.text };
}

function turnsIn(body: unknown): readonly unknown[] {
  if (!isRecord(body)) return [];
  const turns = body['messages'] ?? body['input'] ?? body['contents'];
  return isList(turns) ? turns.map(withoutMarks) : [];
}

/** Where the cache is to begin moves on with the conversation, and is no part of what is cached. */
function withoutMarks(turn: unknown): unknown {
  return JSON.parse(JSON.stringify(turn).replaceAll(/,"cache_control":\{[^}]*\}/g, ''));
}

function headIn(body: unknown): unknown {
  if (!isRecord(body)) return null;
  const { tools, system, instructions, systemInstruction, system_instruction: systemOfGoogle } = body;
  return { tools, system, instructions, systemInstruction, systemOfGoogle };
}
