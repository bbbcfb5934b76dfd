import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/core/errors';
import { DEFAULT_CONTROLS } from '../../../src/core/tool';
import { send } from '../../../src/generation/entries';
import { DebugLog } from '../../../src/generation/hooks/debug-log';
import { redact } from '../../../src/generation/hooks/redact';
import { isRecord } from '../../../src/outbound/json';
import { PROVIDERS } from '../../../src/providers';
import { saveAccount } from '../../../src/storage/accounts';
import { writeSetting } from '../../../src/storage/settings';
import { createTestGate } from '../../outbound/test-gate';
import { testAccount } from '../../providers/run-provider';
import { freshDatabase, stampAt } from '../../storage/support';
import { MODEL, testDesk } from '../../support/generation';
import { spoken } from '../../support/spoken-answers';
import { echoTool } from '../../support/test-tools';

const KEY = 'sk-very-secret-0123456789';
const BASE64 = 'QUJD'.repeat(100);

describe('what is written down', () => {
  test.each([
    [
      { apiKey: 'x', API_KEY: 'x', 'x-goog-api-key': 'x' },
      { apiKey: '[hidden]', API_KEY: '[hidden]', 'x-goog-api-key': '[hidden]' },
    ],
    [
      { accessToken: 'x', max_tokens: 5, promptTokens: 7 },
      { accessToken: '[hidden]', max_tokens: 5, promptTokens: 7 },
    ],
    [{ nested: [{ password: 'x' }] }, { nested: [{ password: '[hidden]' }] }],
    [{ text: `the key ${KEY} is here` }, { text: 'the key [hidden] is here' }],
    [{ url: `https://api.example/${KEY}/x` }, { url: 'https://api.example/[hidden]/x' }],
    [{ image: `data:image/png;base64,${BASE64}` }, { image: '[image/png, 422 characters]' }],
    [{ data: BASE64 }, { data: '[base64, 400 characters]' }],
    [{ words: 'an ordinary sentence '.repeat(30) }, { words: 'an ordinary sentence '.repeat(30) }],
    [{ authorization: { type: 'bearer' } }, { authorization: { type: 'bearer' } }],
  ])('hides what is secret in %j', (value, expected) => {
    expect(redact(value, [KEY])).toEqual(expected);
  });

  test('has an end, and no names that reach a prototype', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 500; level++) deep = { deep };
    expect(JSON.stringify(redact(deep, []))).toContain('[too deep]');
    expect(Object.keys(redact(JSON.parse('{"__proto__":{"a":1},"b":2}'), []) ?? {})).toEqual(['b']);
  });
});

/** Every line that a turn in a mode writes. */
async function written(mode: 'tools' | 'agent-dev'): Promise<readonly Json[]> {
  const lines: Json[] = [];
  const log = new DebugLog({ append: (line) => void lines.push(line) }, () => 0);
  const database = await freshDatabase(`debug-log-${mode}`);
  const account = testAccount('https://api.example.test/v1', {
    id: MODEL.accountId,
    provider: 'openai-chat',
    overrides: { [MODEL.modelId]: { tools: true } },
  });
  await saveAccount(database, account, KEY, stampAt(1));
  await writeSetting(database, 'defaultModel', MODEL, stampAt(1));
  await writeSetting(database, 'controls', { ...DEFAULT_CONTROLS, mode }, stampAt(1));
  const setup = await testDesk({ database, tools: [echoTool([])], subscribers: [log.subscriber] });
  let asked = 0;
  const { gate } = createTestGate({
    fetch: () => {
      asked += 1;
      const step = asked === 1 ? { calls: [{ id: 'c', name: 'echo', args: { text: `my key is ${KEY}` } }] } : { text: 'Done.' };
      return Promise.resolve(spoken('openai-chat', step, true));
    },
  });
  const desk = { ...setup.desk, environment: { ...setup.desk.environment, gate, providers: PROVIDERS, debugLog: log } };
  const conversationId = 'aaaaaaaa-0000-4000-8000-000000000001';
  const held = await desk.sessions.acquire(conversationId);
  if (held === null) throw new Error('the lock was free');
  const draft = { text: 'Go', attachments: [] };
  await send(desk, held.session, { isNew: true, messageId: 'bbbbbbbb-0000-4000-8000-000000000001', draft, answer: true, model: null });
  await setup.heard.end();
  await database.delete();
  return lines;
}

test('a run in agent-dev writes down what left, what came, and what tools did, in order and without the key', async () => {
  const lines = await written('agent-dev');
  expect(lines.map((line) => (isRecord(line) ? line['type'] : ''))).toEqual(['request', 'result', 'tool', 'request', 'result']);
  expect(lines[0]).toMatchObject({
    executionMode: 'agent-dev',
    providerId: 'openai-chat',
    payload: { method: 'POST', body: { messages: [{ role: 'system' }, { role: 'user', content: 'Go' }] } },
  });
  expect(JSON.stringify(lines[0])).toMatch(/"authorization":"\[hidden\]"/i);
  expect(JSON.stringify(lines)).not.toContain(KEY);
});

test('a run in any other mode writes down nothing', async () => {
  expect(await written('tools')).toEqual([]);
});
