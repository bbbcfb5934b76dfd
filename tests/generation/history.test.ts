import { describe, expect, test } from 'vitest';
import type { MessageNode, ModelReference, Part, ToolPart } from '../../src/core/node';
import { toMessage } from '../../src/generation/history';
import { sanitize } from '../../src/generation/input/sanitize';
import type { WorkingMessage, WorkingRequest } from '../../src/generation/input/transformer';
import type { TurnContext } from '../../src/generation/turn-context';
import { MODEL, ScriptedProvider, testDesk } from '../support/generation';
import { quietTurn } from '../support/quiet-turn';

const provider = new ScriptedProvider();

async function turn(): Promise<TurnContext> {
  const { desk } = await testDesk();
  return {
    environment: desk.environment,
    conversationId: 'c',
    runId: 'r',
    nodeId: 'n',
    path: [],
    model: MODEL,
    account: {
      id: MODEL.accountId,
      provider: provider.id,
      preset: 'custom',
      name: '',
      baseUrl: '',
      hasKey: false,
      streaming: true,
      reasoning: 'auto',
      sampling: {},
      headers: [],
      body: {},
      overrides: {},
    },
    provider,
    capabilities: provider.capabilities(MODEL.modelId),
    ...quietTurn,
    now: () => 0,
    signal: new AbortController().signal,
  };
}

const answer = (parts: readonly Part[], model: ModelReference = MODEL): MessageNode => ({
  id: 'n',
  conversationId: 'c',
  parentId: null,
  role: 'assistant',
  status: 'complete',
  revision: 0,
  createdAt: 0,
  tokens: 0,
  steps: [{ step: 0, parts, model }],
  siblings: ['n'],
});
const opaque = (provider: string, modelId: string) => ({ provider, modelId, data: { signature: 'byte-exact' } });
const CALL: ToolPart = {
  type: 'tool',
  step: 0,
  callId: '1',
  wireId: 'call_0',
  name: 'find',
  argumentsText: '{"a":1}',
  approval: 'auto',
  execution: 'done',
};
const call = (over: Partial<ToolPart> = {}): ToolPart => ({ ...CALL, result: { text: 'found', media: [] }, ...over });

describe('opaque data', () => {
  const parts = (provider: string, modelId: string): Part[] => [
    { type: 'reasoning', step: 0, text: 'why', startedAt: 0, endedAt: 1, opaque: opaque(provider, modelId) },
    { type: 'text', step: 0, text: 'Because.', opaque: opaque(provider, modelId) },
    call({ opaque: opaque(provider, modelId) }),
    { type: 'hosted', step: 0, id: 'h', name: 'web_search', status: 'done', queries: [], sources: [], opaque: opaque(provider, modelId) },
  ];

  test('goes back byte for byte to the provider and model that sent it', async () => {
    const message = toMessage(answer(parts(provider.id, MODEL.modelId)), await turn());
    expect(message.parts.map((part) => ('opaque' in part ? part.opaque : null))).toEqual(Array(4).fill({ signature: 'byte-exact' }));
  });

  test.each([
    ['another provider', 'other', MODEL.modelId],
    ['another model', provider.id, 'other'],
  ])('never goes to %s', async (_name, providerId, modelId) => {
    const message = toMessage(answer(parts(providerId, modelId)), await turn());
    expect(JSON.stringify(message)).not.toContain('byte-exact');
    expect(message.parts.map((part) => part.type)).toEqual(['reasoning', 'text', 'tool-call']);
  });
});

test('a model never reads another model’s thoughts', async () => {
  const thought: Part = { type: 'reasoning', step: 0, text: 'secret', startedAt: 0, endedAt: 1 };
  expect(toMessage(answer([thought], { accountId: 'account', modelId: 'other' }), await turn()).parts).toEqual([]);
});

test('a call that was never run has a result that says so', async () => {
  const { parts } = toMessage(answer([{ ...CALL, execution: 'interrupted' }]), await turn());
  const [part] = parts;
  expect(part?.type === 'tool-call' ? part.result : null).toEqual({ text: expect.stringContaining('not run'), isError: true, images: [] });
});

describe('the last look at a request', () => {
  const request = (history: readonly WorkingMessage[], tools: WorkingRequest['tools'] = []): WorkingRequest => ({
    modelId: 'm',
    system: ['Be kind.', '  '],
    history,
    tools,
    toolChoice: 'auto',
    sampling: {},
    reasoning: 'auto',
    stream: true,
    hostedSearch: false,
    store: false,
    cacheKey: 'c',
  });
  const text = (value: string): WorkingMessage['parts'][number] => ({ type: 'text', text: value });
  const clean = async (history: readonly WorkingMessage[], tools: WorkingRequest['tools'] = []): Promise<WorkingRequest> =>
    sanitize.apply(request(history, tools), await turn());

  test('leaves out blank text, empty turns and blank system blocks', async () => {
    const { history, system } = await clean([
      { role: 'user', parts: [text('Hello')] },
      { role: 'assistant', parts: [text(' ')] },
    ]);
    expect(history).toEqual([{ role: 'user', parts: [text('Hello')] }]);
    expect(system).toEqual(['Be kind.']);
  });

  test('joins neighbours of one role', async () => {
    const { history } = await clean([
      { role: 'user', parts: [text('One')] },
      { role: 'assistant', parts: [] },
      { role: 'user', parts: [text('Two')] },
    ]);
    expect(history).toEqual([{ role: 'user', parts: [text('One'), text('Two')] }]);
  });

  test('a turn of nothing but thoughts is no turn', async () => {
    const { history } = await clean([
      { role: 'user', parts: [text('One')] },
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }] },
    ]);
    expect(history).toHaveLength(1);
  });

  test('a thought goes with what it led to, and stays here where that is nothing or is told in words', async () => {
    const thought: WorkingMessage['parts'][number] = { type: 'reasoning', text: 'hm', opaque: 's' };
    const { parts } = toMessage(answer([{ ...CALL, execution: 'interrupted' }]), await turn());
    const kinds = async (given: WorkingMessage['parts'], tools: WorkingRequest['tools'] = []): Promise<readonly string[]> =>
      (await clean([{ role: 'assistant', parts: given }], tools)).history[0]?.parts.map(({ type }) => type) ?? [];
    expect(await kinds([thought, text('Yes'), thought])).toEqual(['reasoning', 'text']);
    expect(await kinds([thought, thought, text(' '), ...parts])).toEqual(['text']);
    expect(await kinds([thought, text('Yes'), ...parts, thought])).toEqual(['reasoning', 'text', 'text']);
    const tools = [{ name: 'find', description: '', parameters: {} }];
    expect(await kinds([thought, ...parts], tools)).toEqual(['reasoning', 'tool-call']);
  });

  test('an empty text that carries a signature stays', async () => {
    const signed: WorkingMessage['parts'][number] = { type: 'text', text: '', opaque: 's' };
    const { history } = await clean([{ role: 'assistant', parts: [text('Yes'), signed] }]);
    expect(history[0]?.parts).toEqual([text('Yes'), signed]);
  });

  test('tells earlier calls in words where no tools are offered, and leaves them alone where some are', async () => {
    const earlier = toMessage(answer([call()]), await turn());
    expect((await clean([earlier])).history[0]?.parts).toEqual([text('[Earlier call of the tool find with {"a":1}. Its result: found]')]);
    const tools = [{ name: 'find', description: '', parameters: {} }];
    expect((await clean([earlier], tools)).history[0]?.parts).toMatchObject([{ type: 'tool-call', name: 'find' }]);
  });
});

describe('what the model reads of a call', () => {
  const resultOf = async (part: ToolPart, nodeId = 'n') => {
    const [sent] = toMessage({ ...answer([part]), id: nodeId }, await turn()).parts;
    return sent?.type === 'tool-call' ? sent : undefined;
  };
  const picture = {
    type: 'media',
    step: 0,
    kind: 'image',
    blob: 'a'.repeat(64),
    mimeType: 'image/png',
    name: 'cat.png',
    sizeBytes: 1,
  } as const;

  test('tells that the user changed the arguments, and leaves the model’s own as they were', async () => {
    const sent = await resultOf(call({ editedArguments: '{"a":2}' }));
    expect(sent?.argumentsText).toBe('{"a":1}');
    expect(sent?.result.text).toBe('The user changed the arguments before it ran, to: {"a":2}\n\nfound');
  });

  test('tells one that never ran from one that was cut short', async () => {
    expect((await resultOf({ ...CALL, execution: 'interrupted' }))?.result.text).toContain('was not run');
    expect((await resultOf({ ...CALL, execution: 'interrupted', startedAt: 5 }))?.result.text).toContain('may or may not');
  });

  test('shows its pictures while its answer is written, and names them later', async () => {
    const shown = call({ result: { text: 'here', media: [picture] } });
    expect(await resultOf(shown)).toMatchObject({ pictures: [picture], result: { text: 'here' } });
    const later = await resultOf(shown, 'another');
    expect(later).not.toHaveProperty('pictures');
    expect(later?.result.text).toContain('cat.png');
  });
});
