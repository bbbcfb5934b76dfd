import { describe, expect, test } from 'vitest';
import { AppError, type Json } from '../../src/core/errors';
import type { MessageNode, Part } from '../../src/core/node';
import { buildRequest } from '../../src/generation/request';
import type { TurnContext } from '../../src/generation/turn-context';
import { PROVIDERS } from '../../src/providers';
import type { BrowserModelPage, LocalRuntime, Provider } from '../../src/providers/provider';
import { createTestGate } from '../outbound/test-gate';
import { testAccount } from '../providers/run-provider';
import { testDesk } from '../support/generation';
import { wireFaultsIn } from '../support/wire-faults';
import { readConversation, type WireRequest } from '../support/wire-turns';
import { noDevice } from '../support/no-device';
import { quietTurn } from '../support/quiet-turn';

const MODELS: Readonly<Record<string, string>> = {
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.2',
  'anthropic-messages': 'claude-opus-4-6',
  'google-generative': 'gemini-3-pro',
};

const modelOf = (provider: Provider): string => MODELS[provider.id] ?? 'model';
const secretOf = (provider: Provider): string => `opaque-of-${provider.id}`;

/** What each protocol marks for itself, in its own form. */
function opaqueOf(provider: Provider): { readonly reasoning: Json; readonly hosted: Json } {
  const secret = secretOf(provider);
  switch (provider.id) {
    case 'anthropic-messages':
      return {
        reasoning: { type: 'thinking', thinking: 'Hm.', signature: secret },
        hosted: [
          { type: 'server_tool_use', id: 'h', name: 'web_search', input: {} },
          { type: 'web_search_tool_result', tool_use_id: 'h', content: [{ encrypted_content: secret }] },
        ],
      };
    case 'google-generative':
      return { reasoning: { thoughtSignature: secret }, hosted: { parts: [{ executableCode: { code: secret } }] } };
    case 'openai-responses':
      return {
        reasoning: { type: 'reasoning', summary: [], encrypted_content: secret },
        hosted: { type: 'web_search_call', id: secret, status: 'completed' },
      };
    default:
      return { reasoning: [{ type: 'reasoning.text', signature: secret }], hosted: { note: secret } };
  }
}

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
  const { reasoning, hosted } = opaqueOf(provider);
  const mark = (data: Json) => ({ provider: provider.id, modelId: modelOf(provider), data });
  return [
    { type: 'reasoning', step: 0, text: `thought-of-${provider.id}`, startedAt: 0, endedAt: 1, opaque: mark(reasoning) },
    { type: 'text', step: 0, text: `Answer of ${provider.id}.` },
    { type: 'citation', step: 0, url: 'https://example.test', title: 'A page', textOffset: 3 },
    { type: 'hosted', step: 0, id: 'h', name: 'web_search', status: 'done', queries: ['q'], sources: [], opaque: mark(hosted) },
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
      opaque: mark({ thoughtSignature: secretOf(provider) }),
    },
    // Stopped again, before anything came of the next thought.
    { type: 'reasoning', step: 0, text: `thought-of-${provider.id}`, startedAt: 2, endedAt: 3, opaque: mark(reasoning) },
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

/** What a provider sends for a turn over the conversation. */
async function requestOf(provider: Provider): Promise<WireRequest> {
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
    ...quietTurn,
    now: () => 0,
    signal,
  };
  const requests: WireRequest[] = [];
  const { gate } = createTestGate({
    fetch: (url, init) => {
      const body: unknown = JSON.parse(typeof init?.body === 'string' ? init.body : 'null');
      requests.push({ path: new URL(url instanceof Request ? url.url : url).pathname, body });
      return Promise.resolve(
        new Response('{"error":{"message":"enough"}}', { status: 400, headers: { 'content-type': 'application/json' } }),
      );
    },
  });
  const local: LocalRuntime = {
    ...noDevice.local,
    generate: ({ body }) => {
      requests.push({ path: '/v1/chat/completions', body });
      throw new AppError('model-not-downloaded');
    },
  };
  const page: BrowserModelPage = {
    call: async (_name, { messages }) => {
      requests.push({ path: '/v1/chat/completions', body: { messages } });
      return Promise.reject(new AppError('model-load-failed'));
    },
  };
  const events = provider.stream(await buildRequest(turn), account, {
    gate,
    key: 'sk-test',
    signal,
    newId: () => 'id',
    local,
    page,
  });
  await expect(async () => {
    for await (const event of events) expect(event).toBeDefined();
  }).rejects.toMatchObject({ code: expect.any(String) });
  const [request] = requests;
  if (request === undefined) throw new Error('nothing was sent');
  return request;
}

describe.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
  'a conversation that visited every protocol, sent to %s',
  (_id, provider) => {
    test('is one that a strict server takes', async () => {
      const request = await requestOf(provider);
      expect(wireFaultsIn(request)).toEqual([]);
      const { turns } = readConversation(request);
      expect(turns).toHaveLength(2 * PROVIDERS.length + 1);
      // Its own thought is there, once.
      const hasOwn = !['openai-chat', 'local-engine', 'browser-model'].includes(provider.id);
      expect(turns.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'thought'))).toHaveLength(hasOwn ? 1 : 0);
    });

    test('carries nobody else’s opaque data or thoughts', async () => {
      const text = JSON.stringify((await requestOf(provider)).body);
      for (const other of PROVIDERS) {
        if (other === provider) continue;
        expect(text).not.toContain(secretOf(other));
        expect(text).not.toContain(`thought-of-${other.id}`);
      }
    });

    test('has no empty text, and tells the stopped call in words', async () => {
      const text = JSON.stringify((await requestOf(provider)).body);
      expect(text).not.toMatch(/"(?:text|content)":" *"/);
      expect(text).not.toMatch(/"tool_use"|"tool_calls"|"function_call"|"functionCall"/);
      expect(text).toContain('was not run');
      for (const other of PROVIDERS) expect(text).toContain(`Answer of ${other.id}.`);
    });
  },
);
