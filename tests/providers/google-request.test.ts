import { describe, expect, test } from 'vitest';
import { REASONING_LEVELS } from '../../src/core/account';
import type { JsonObject } from '../../src/core/errors';
import type { ModelRequest, RequestMessage, RequestPart } from '../../src/core/request';
import { googleBaseUrl, modelPath } from '../../src/providers/shared/google-address';
import { thinkingConfig } from '../../src/providers/shared/google-models';
import { googleBody, type GoogleBodyOptions } from '../../src/providers/shared/google-request';
import { wireNamesOf } from '../../src/providers/shared/wire-names';
import { testRequest } from './run-provider';

function bodyOf(request: Partial<ModelRequest>, options: Partial<GoogleBodyOptions> = {}): JsonObject {
  const whole = testRequest({ modelId: 'gemini-2.5-flash', ...request });
  return googleBody(whole, { reasons: false, isOfficial: true, names: wireNamesOf(whole), extra: {}, ...options });
}

const contents = (history: readonly RequestMessage[], modelId = 'gemini-2.5-flash') => bodyOf({ history, modelId })['contents'];
const user = (...parts: RequestPart[]): RequestMessage => ({ role: 'user', parts });
const model = (...parts: RequestPart[]): RequestMessage => ({ role: 'assistant', parts });
const text = (words: string, opaque?: JsonObject): RequestPart => ({
  type: 'text',
  text: words,
  ...(opaque === undefined ? {} : { opaque }),
});
const image = { type: 'image', mimeType: 'image/jpg', base64: 'AAAA' } as const;

function call(name: string, more: Partial<Extract<RequestPart, { type: 'tool-call' }>> = {}): RequestPart {
  return {
    type: 'tool-call',
    callId: `id-${name}`,
    wireId: '',
    name,
    argumentsText: '{"x":1}',
    result: { text: `${name} done`, isError: false, images: [] },
    ...more,
  };
}
const called = (name: string, signature?: string) => ({
  functionCall: { name, args: { x: 1 } },
  ...(signature === undefined ? {} : { thoughtSignature: signature }),
});
const answered = (name: string) => ({ functionResponse: { name, response: { result: `${name} done` } } });

describe('each part', () => {
  test.each<[string, RequestMessage, readonly JsonObject[]]>([
    ['text', user(text('Hi'), text('  ')), [{ role: 'user', parts: [{ text: 'Hi' }] }]],
    [
      'an image',
      user(image, text('?')),
      [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/jpeg', data: 'AAAA' } }, { text: '?' }] }],
    ],
    [
      'a PDF',
      user({ type: 'file', kind: 'document', mimeType: 'application/pdf', name: 'a.pdf', base64: 'JVBE' }),
      [{ role: 'user', parts: [{ inlineData: { mimeType: 'application/pdf', data: 'JVBE' } }] }],
    ],
    [
      'a sound',
      user({ type: 'file', kind: 'audio', mimeType: 'audio/x-wav', name: 'a.wav', base64: 'UklG' }),
      [{ role: 'user', parts: [{ inlineData: { mimeType: 'audio/wav', data: 'UklG' } }] }],
    ],
    ['thoughts are left out', model({ type: 'reasoning', text: 'Hm' }, text('A')), [{ role: 'model', parts: [{ text: 'A' }] }]],
    [
      'signed thoughts and texts go back as they came, also empty ones',
      model({ type: 'reasoning', text: 'Hm', opaque: { thoughtSignature: 'r==' } }, text('', { thoughtSignature: 't==' })),
      [
        {
          role: 'model',
          parts: [
            { text: 'Hm', thought: true, thoughtSignature: 'r==' },
            { text: '', thoughtSignature: 't==' },
          ],
        },
      ],
    ],
    [
      'what the server ran goes back as its raw parts',
      model({
        type: 'hosted',
        id: 'h',
        name: 'code_execution',
        opaque: { parts: [{ executableCode: { code: '1' } }, { codeExecutionResult: {} }] },
      }),
      [{ role: 'model', parts: [{ executableCode: { code: '1' } }, { codeExecutionResult: {} }] }],
    ],
  ])('%s', (_name, message, expected) => {
    expect(contents([message])).toEqual(expected);
  });

  test('an answer’s own picture has the word for a lost signature where one is demanded', () => {
    expect(contents([model(image)])).toEqual([{ role: 'model', parts: [{ inlineData: { mimeType: 'image/jpeg', data: 'AAAA' } }] }]);
    expect(contents([model(image)], 'gemini-3-pro-image-preview')).toMatchObject([
      { parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] },
    ]);
  });

  test('neighbours of one role are one turn', () => {
    expect(contents([user(text('a')), user(text('b')), model(text(' ')), user(text('c'))])).toEqual([
      { role: 'user', parts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] },
    ]);
  });
});

describe('calls and results', () => {
  test('calls made together are one turn and so are their results; what was said next is another', () => {
    const history = [user(text('Go')), model(text('So.'), call('a'), call('b'), text('Done.')), user(text('Thanks'))];
    expect(contents(history)).toEqual([
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [{ text: 'So.' }, called('a'), called('b')] },
      { role: 'user', parts: [answered('a'), answered('b')] },
      { role: 'model', parts: [{ text: 'Done.' }] },
      { role: 'user', parts: [{ text: 'Thanks' }] },
    ]);
  });

  test('results stand alone, also where the user speaks next', () => {
    expect(contents([model(call('a')), user(text('Stop'))])).toEqual([
      { role: 'model', parts: [called('a')] },
      { role: 'user', parts: [answered('a')] },
      { role: 'user', parts: [{ text: 'Stop' }] },
    ]);
  });

  test('a signed call begins a step of its own, and signatures stay byte for byte', () => {
    const signature = 'EpwI/+Zz==\u00e9';
    const steps = model(
      call('a', { opaque: { thoughtSignature: signature } }),
      call('b'),
      call('c', { opaque: { thoughtSignature: 'c==' } }),
    );
    expect(contents([steps], 'gemini-3-pro-preview')).toEqual([
      { role: 'model', parts: [called('a', signature), called('b')] },
      { role: 'user', parts: [answered('a'), answered('b')] },
      { role: 'model', parts: [called('c', 'c==')] },
      { role: 'user', parts: [answered('c')] },
    ]);
  });

  test('Gemini 3 is told that a signature is missing, on the first call of a step only', () => {
    expect(contents([model(call('a'), call('b'))], 'gemini-3-flash-preview')).toMatchObject([
      { parts: [called('a', 'skip_thought_signature_validator'), called('b')] },
      {},
    ]);
  });

  test('ids are sent where the wire had them, broken arguments as none, failures as errors', () => {
    const part = call('a', { wireId: 'w1', argumentsText: '{"x":', result: { text: 'No.', isError: true, images: [] } });
    expect(contents([model(part)])).toEqual([
      { role: 'model', parts: [{ functionCall: { id: 'w1', name: 'a', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'w1', name: 'a', response: { error: 'No.' } } }] },
    ]);
  });

  test('pictures of a result go into it, or after it where the model is older', () => {
    const part = call('a', { result: { text: 'See.', isError: false, images: [{ mimeType: 'image/png', base64: 'BBBB' }] } });
    expect(contents([model(part)], 'gemini-3-pro-preview')).toMatchObject([
      {},
      {
        parts: [
          {
            functionResponse: {
              response: { result: 'See.', images: [{ $ref: 'image-1' }] },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'BBBB', displayName: 'image-1' } }],
            },
          },
        ],
      },
    ]);
    expect(contents([model(part)])).toMatchObject([
      {},
      { role: 'user', parts: [{ functionResponse: { response: { result: 'See.' } } }] },
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'BBBB' } }] },
    ]);
  });

  test('a name that the server refuses is the same everywhere', () => {
    const name = 'files/read all';
    const tool = { name, description: 'Reads.', parameters: { type: 'object' } };
    const body = bodyOf({ tools: [tool], history: [model(call(name))], toolChoice: { name } });
    const wire = wireNamesOf({ tools: [tool], history: [] }).toWire(name);
    expect(wire).toMatch(/^files_read_all_\w+$/);
    expect(body).toMatchObject({
      contents: [{ parts: [{ functionCall: { name: wire } }] }, { parts: [{ functionResponse: { name: wire } }] }],
      tools: [{ functionDeclarations: [{ name: wire, description: 'Reads.' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [wire] } },
    });
  });
});

describe('the rest of the body', () => {
  test('system, sampling and the account’s own fields, merged last', () => {
    const request = { system: ['A.', ' ', 'B.'], sampling: { temperature: 0.5, topP: 0.9, maxTokens: 64 } };
    expect(bodyOf(request, { extra: { generationConfig: { seed: 1 } } })).toMatchObject({
      systemInstruction: { parts: [{ text: 'A.\n\nB.' }] },
      generationConfig: { temperature: 0.5, topP: 0.9, maxOutputTokens: 64, seed: 1 },
    });
    expect(Object.keys(bodyOf({}))).toEqual(['contents', 'safetySettings']);
  });

  test('all five filters are off', () => {
    const settings = bodyOf({})['safetySettings'];
    expect(settings).toHaveLength(5);
    expect(JSON.stringify(settings).match(/"OFF"/g)).toHaveLength(5);
  });

  test('a model that draws takes no system instruction and is told to answer with both', () => {
    const body = bodyOf({ modelId: 'gemini-2.5-flash-image', system: ['A.'] });
    expect(body).not.toHaveProperty('systemInstruction');
    expect(body).toMatchObject({ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } });
  });

  test('Gemma 3 gets the system text in the first user turn', () => {
    expect(bodyOf({ modelId: 'gemma-3-27b-it', system: ['A.'] })).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'A.' }, { text: 'Hello' }] }],
    });
    expect(bodyOf({ modelId: 'gemma-3-27b-it', system: ['A.'] })).not.toHaveProperty('systemInstruction');
  });

  const tool = { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: { a: { type: 'number', multipleOf: 1 } } } };
  const declared = {
    functionDeclarations: [
      {
        name: 'add',
        description: 'Adds.',
        parameters: { type: 'object', properties: { a: { type: 'number', description: '(multipleOf: 1)' } } },
      },
    ],
  };

  test.each([
    ['auto', undefined],
    ['none', { functionCallingConfig: { mode: 'NONE' } }],
    ['required', { functionCallingConfig: { mode: 'ANY' } }],
  ] as const)('tools, %s', (toolChoice, expected) => {
    const body = bodyOf({ tools: [tool], toolChoice });
    expect([body['tools'], body['toolConfig']]).toEqual([[declared], expected]);
  });

  test.each([
    ['alone', 'gemini-2.5-flash', [], true, [{ googleSearch: {} }], undefined],
    ['beside functions of Gemini 2.5', 'gemini-2.5-flash', [tool], true, [declared], undefined],
    [
      'beside functions of Gemini 3',
      'gemini-3-flash',
      [tool],
      true,
      [declared, { googleSearch: {} }],
      { includeServerSideToolInvocations: true },
    ],
    ['beside functions elsewhere', 'gemini-3-flash', [tool], false, [declared], undefined],
  ])('search %s', (_name, modelId, tools, isOfficial, expected, config) => {
    const body = bodyOf({ modelId, tools, hostedSearch: true }, { isOfficial });
    expect([body['tools'], body['toolConfig']]).toEqual([expected, config]);
  });
});

describe('reasoning levels', () => {
  /** auto, off, minimal, low, medium, high, xhigh, max. */
  test.each([
    ['gemini-3-flash-preview', ['-', 'minimal*', 'minimal', 'low', 'medium', 'high', 'high', 'high']],
    ['gemini-3.1-pro-preview', ['-', 'low*', 'low', 'low', 'medium', 'high', 'high', 'high']],
    ['gemini-3-pro-preview', ['-', 'low*', 'low', 'low', 'high', 'high', 'high', 'high']],
    ['gemma-4-31b-it', ['-', 'minimal*', 'minimal', 'minimal', 'high', 'high', 'high', 'high']],
    ['gemini-2.5-pro', ['-', 'nothing', '128', '1000', '2000', '8000', '16000', '32000']],
    ['gemini-2.5-flash', ['-', '0*', '128', '1000', '2000', '8000', '16000', '24576']],
    ['gemini-2.5-flash-lite', ['-', '0*', '512', '1000', '2000', '8000', '16000', '24576']],
    ['models/some-other', ['-', '0*', '128', '1000', '2000', '8000', '16000', '24576']],
  ])('%s', (modelId, expected) => {
    const shown = REASONING_LEVELS.map((level) => {
      const config = thinkingConfig(level, modelId);
      if (config === undefined) return 'nothing';
      const { thinkingLevel, thinkingBudget, includeThoughts } = config;
      return `${JSON.stringify(thinkingLevel ?? thinkingBudget ?? '-').replaceAll('"', '')}${includeThoughts === true ? '' : '*'}`;
    });
    expect(shown).toEqual(expected);
  });

  test('a model that doesn’t think is sent nothing', () => {
    expect(bodyOf({ reasoning: 'high' })).not.toHaveProperty('generationConfig');
    expect(bodyOf({ reasoning: 'high' }, { reasons: true })).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingBudget: 8_000, includeThoughts: true } },
    });
  });
});

describe('addresses', () => {
  const base = 'https://generativelanguage.googleapis.com/v1beta';
  test.each([
    ['generativelanguage.googleapis.com', base],
    ['https://generativelanguage.googleapis.com/', base],
    [`${base}/`, base],
    [`${base}/openai/`, base],
    [`${base}/models`, base],
    [`${base}/models/gemini-2.5-flash:generateContent?key=secret`, base],
    ['https://gateway.example/v1/acc/google-ai-studio/v1', 'https://gateway.example/v1/acc/google-ai-studio/v1'],
    ['localhost:8080', 'http://localhost:8080/v1beta'],
  ])('%s', (pasted, expected) => {
    expect(googleBaseUrl(pasted)).toBe(expected);
  });

  test.each(['', ' ', 'https://', 'ftp://x.example'])('none: %j', (pasted) => {
    expect(() => googleBaseUrl(pasted)).toThrow('address-invalid');
  });

  test('of a model', () => {
    expect(modelPath('gemini-2.5-flash', 'generateContent')).toBe('/models/gemini-2.5-flash:generateContent');
    expect(modelPath('tunedModels/a b', 'generateContent')).toBe('/tunedModels/a%20b:generateContent');
  });
});
