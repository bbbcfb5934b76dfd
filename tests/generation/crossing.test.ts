import { describe, expect, test } from 'vitest';
import type { MessageNode, Part } from '../../src/core/node';
import { buildRequest } from '../../src/generation/request';
import type { TurnContext } from '../../src/generation/turn-context';
import { isList, isRecord } from '../../src/outbound/json';
import { PROVIDERS } from '../../src/providers';
import type { Provider } from '../../src/providers/provider';
import { createTestGate } from '../outbound/test-gate';
import { testAccount } from '../providers/run-provider';
import { testDesk } from '../support/generation';

const MODELS: Readonly<Record<string, string>> = {
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.2',
  'anthropic-messages': 'claude-opus-4-6',
  'google-generative': 'gemini-3-pro',
};

const modelOf = (provider: Provider): string => MODELS[provider.id] ?? 'model';
const secretOf = (provider: Provider): string => `opaque-of-${provider.id}`;

function node(id: string, role: 'user' | 'assistant', parts: readonly Part[], provider?: Provider): MessageNode {
  const model = provider === undefined ? {} : { model: { accountId: provider.id, modelId: modelOf(provider) } };
  return {
    id,
    conversationId: 'c',
    parentId: null,
    role,
    status: 'complete',
    revision: 0,
    createdAt: 0,
    tokens: 0,
    steps: [{ step: 0, parts, ...model }],
    siblings: [id],
  };
}

/** An answer of a provider with everything that protocols mark for themselves, stopped in the middle of a tool call. */
function stopped(provider: Provider): readonly Part[] {
  const opaque = { provider: provider.id, modelId: modelOf(provider), data: { note: secretOf(provider) } };
  return [
    { type: 'reasoning', step: 0, text: `thought-of-${provider.id}`, startedAt: 0, endedAt: 1, opaque },
    { type: 'text', step: 0, text: `Answer of ${provider.id}.` },
    { type: 'citation', step: 0, url: 'https://example.test', title: 'A page', textOffset: 3 },
    { type: 'hosted', step: 0, id: 'h', name: 'web_search', status: 'done', queries: ['q'], sources: [], opaque },
    { type: 'refusal', step: 0, text: 'No.' },
    {
      type: 'tool',
      step: 0,
      callId: `call-${provider.id}`,
      wireId: 'call_0',
      name: 'find.things:now',
      argumentsText: '{"half":',
      approval: 'auto',
      execution: 'interrupted',
      opaque,
    },
  ];
}

/** Visits every protocol, with the accidents of a long conversation in between: an empty answer and two messages in a row. */
function conversation(): readonly MessageNode[] {
  const visits = PROVIDERS.flatMap((provider, index) => [
    node(`q${index}`, 'user', [{ type: 'text', step: 0, text: `Question ${index}` }]),
    node(`a${index}`, 'assistant', stopped(provider), provider),
  ]);
  return [
    ...visits,
    node('q8', 'user', [{ type: 'text', step: 0, text: 'Stopped before a word.' }]),
    node('a8', 'assistant', [{ type: 'text', step: 0, text: ' ' }]),
    node('q9', 'user', [{ type: 'text', step: 0, text: 'Still there?' }]),
  ];
}

/** The body that a provider sends for a turn over the conversation. */
async function bodyOf(provider: Provider): Promise<Record<string, unknown>> {
  const { desk } = await testDesk();
  const account = testAccount('https://api.example.test/v1', { id: provider.id, provider: provider.id });
  const model = { accountId: provider.id, modelId: modelOf(provider) };
  const signal = new AbortController().signal;
  const turn: TurnContext = {
    environment: desk.environment,
    conversationId: 'c',
    runId: 'r',
    nodeId: 'n',
    path: conversation(),
    model,
    account,
    provider,
    capabilities: await provider.capabilities(model.modelId, account),
    profile: { toolTransport: 'none', maxSteps: 1 },
    continued: [],
    now: () => 0,
    signal,
  };
  const bodies: string[] = [];
  const { gate } = createTestGate({
    fetch: (_url, init) => {
      bodies.push(typeof init?.body === 'string' ? init.body : '');
      return Promise.resolve(
        new Response('{"error":{"message":"enough"}}', { status: 400, headers: { 'content-type': 'application/json' } }),
      );
    },
  });
  const events = provider.stream(await buildRequest(turn), account, { gate, key: 'sk-test', signal, newId: () => 'id' });
  await expect(async () => {
    for await (const event of events) expect(event).toBeDefined();
  }).rejects.toMatchObject({ code: expect.any(String) });
  const body: unknown = JSON.parse(bodies[0] ?? 'null');
  if (!isRecord(body)) throw new Error('nothing was sent');
  return { ...body };
}

/** Roles in order, whatever the protocol calls its list; items of other kinds than messages are left out. */
function rolesOf(body: Record<string, unknown>): readonly unknown[] {
  const list = body['messages'] ?? body['contents'] ?? body['input'];
  return (isList(list) ? list : [])
    .filter(isRecord)
    .map((message) => message['role'])
    .filter((role) => role !== undefined && role !== 'system' && role !== 'developer');
}

describe.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
  'a conversation that visited every protocol, sent to %s',
  (_id, provider) => {
    test('has turns that alternate and end with the user', async () => {
      const roles = rolesOf(await bodyOf(provider));
      expect(roles.length).toBeGreaterThan(4);
      expect(roles.at(-1)).toBe('user');
      // Items of Responses are no turns: an answer may be several.
      if (provider.id === 'openai-responses') return;
      expect(roles.every((role, index) => index === 0 || role !== roles[index - 1])).toBe(true);
    });

    test('carries nobody else’s opaque data or thoughts', async () => {
      const text = JSON.stringify(await bodyOf(provider));
      for (const other of PROVIDERS) {
        if (other === provider) continue;
        expect(text).not.toContain(secretOf(other));
        expect(text).not.toContain(`thought-of-${other.id}`);
      }
    });

    test('has no empty text, and tells the stopped call in words', async () => {
      const text = JSON.stringify(await bodyOf(provider));
      expect(text).not.toMatch(/"(?:text|content)":" *"/);
      expect(text).not.toMatch(/tool_use|tool_calls|function_call"|functionCall/);
      expect(text).toContain('was not run');
      for (const other of PROVIDERS) expect(text).toContain(`Answer of ${other.id}.`);
    });
  },
);
