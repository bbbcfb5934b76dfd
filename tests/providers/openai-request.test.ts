import { describe, expect, test } from 'vitest';
import { REASONING_LEVELS } from '../../src/core/account';
import type { RequestMessage } from '../../src/core/request';
import { quirksOf } from '../../src/providers/shared/openai-quirks';
import { mergeBody } from '../../src/providers/shared/json-body';
import { chatBody } from '../../src/providers/shared/openai-request';
import { reasoningFields, type ReasoningDialect } from '../../src/providers/shared/reasoning';
import { testRequest } from './run-provider';

const say = (role: 'user' | 'assistant', ...texts: readonly string[]): RequestMessage => ({
  role,
  parts: texts.map((text) => ({ type: 'text', text })),
});

function bodyAt(baseUrl: string, overrides: Parameters<typeof testRequest>[0] = {}, preset = 'custom', reasons = true) {
  const request = testRequest(overrides);
  return chatBody(request, { quirks: quirksOf(baseUrl, preset, request.modelId), reasons, extra: {} });
}

const messages = (history: readonly RequestMessage[], system: readonly string[] = [], baseUrl = 'https://api.example.test/v1') =>
  bodyAt(baseUrl, { history, system })['messages'];

describe('messages', () => {
  test('system blocks are one message, blank ones left out', () => {
    expect(messages([say('user', 'Hi')], ['A.', '  ', 'B.'])).toEqual([
      { role: 'system', content: 'A.\n\nB.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(messages([say('user', 'Hi')], ['', ' '])).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  test('neighbours of one role are merged, also around an empty turn', () => {
    expect(messages([say('user', 'a'), say('user', 'b'), say('assistant', ' \n'), say('user', 'c')])).toEqual([
      { role: 'user', content: 'a\n\nb\n\nc' },
    ]);
  });

  test('an image makes a list, and a wrong type name is put right', () => {
    const image = { type: 'image', mimeType: 'image/jpg', base64: 'AAAA' } as const;
    expect(messages([{ role: 'user', parts: [image, { type: 'text', text: 'What?' }] }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA' } },
          { type: 'text', text: 'What?' },
        ],
      },
    ]);
  });

  test('a last turn of the assistant stays last, without blanks at its end', () => {
    expect(messages([say('user', 'Go'), say('assistant', 'Once upon ')])).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'Once upon' },
    ]);
  });

  test('and is marked where the host wants it', () => {
    const history = [say('user', 'Go'), say('assistant', 'Once')];
    expect(messages(history, [], 'https://api.mistral.ai/v1')).toContainEqual({ role: 'assistant', content: 'Once', prefix: true });
    expect(messages(history, [], 'https://api.moonshot.cn/v1')).toContainEqual({ role: 'assistant', content: 'Once', partial: true });
  });
});

describe('parameters', () => {
  const sampling = { temperature: 0.2, topP: 0.9, maxTokens: 100 };
  test.each([
    ['https://api.example.test/v1', 'any', { temperature: 0.2, top_p: 0.9, max_tokens: 100 }],
    ['https://api.openai.com/v1', 'gpt-4o', { temperature: 0.2, top_p: 0.9, max_completion_tokens: 100 }],
    ['https://api.openai.com/v1', 'o4-mini', { max_completion_tokens: 100 }],
    ['https://api.openai.com/v1', 'gpt-5-mini', { max_completion_tokens: 100 }],
    ['https://api.openai.com/v1', 'gpt-5-chat-latest', { temperature: 0.2, top_p: 0.9, max_completion_tokens: 100 }],
    ['https://gateway.example/v1', 'openai/o3', { max_completion_tokens: 100 }],
    ['https://openrouter.ai/api/v1', 'openai/o3', { max_tokens: 100 }],
    ['https://api.moonshot.ai/v1', 'kimi-k2.6', { max_tokens: 100 }],
  ])('%s %s', (baseUrl, modelId, expected) => {
    const { temperature, top_p, max_tokens, max_completion_tokens } = bodyAt(baseUrl, { modelId, sampling });
    expect(JSON.parse(JSON.stringify({ temperature, top_p, max_tokens, max_completion_tokens }))).toEqual(expected);
  });

  test('what nobody set is left out, not null', () => {
    expect(Object.keys(bodyAt('https://api.example.test/v1')).sort()).toEqual(['messages', 'model', 'stream', 'stream_options']);
  });

  test('Mistral knows no stream_options', () => {
    expect(bodyAt('https://api.mistral.ai/v1')).not.toHaveProperty('stream_options');
  });

  test('the account’s body is merged last, objects into objects', () => {
    expect(mergeBody({ a: { b: 1, c: 2 }, d: [1], e: 1 }, { a: { c: 3, f: { g: 4 } }, d: [2], e: null, ' ': 5 })).toEqual({
      a: { b: 1, c: 3, f: { g: 4 } },
      d: [2],
      e: null,
    });
  });
});

describe('reasoning levels', () => {
  const fields = (dialect: ReasoningDialect, modelId = 'some-model') =>
    REASONING_LEVELS.map((level) => {
      const sent = reasoningFields(dialect, level, modelId);
      return Object.keys(sent).length === 0 ? '-' : JSON.stringify(sent).replace(/"|reasoning_|[{}]/g, '');
    });

  test.each([
    ['effort', ['-', 'effort:low', 'effort:low', 'effort:low', 'effort:medium', 'effort:high', 'effort:high', 'effort:high']],
    ['effort-from-none', ['-', 'effort:none', 'effort:low', 'effort:low', 'effort:medium', 'effort:high', 'effort:xhigh', 'effort:xhigh']],
    [
      'openrouter',
      ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'xhigh'].reduce<string[]>(
        (all, level) => [...all, `reasoning:effort:${level}`],
        ['-'],
      ),
    ],
    [
      'deepseek',
      [
        '-',
        'thinking:type:disabled',
        ...['low', 'low', 'high', 'high', 'high', 'max'].map((level) => `thinking:type:enabled,effort:${level}`),
      ],
    ],
    [
      'budget',
      [
        '-',
        'enable_thinking:false',
        ...[1000, 1000, 2000, 8000, 16000, 32000].map((tokens) => `enable_thinking:true,thinking_budget:${tokens}`),
      ],
    ],
    ['effort-to-max', ['-', 'effort:none', ...['high', 'high', 'high', 'high', 'max', 'max'].map((level) => `effort:${level}`)]],
    [
      'switch-effort',
      [
        '-',
        'thinking:type:disabled',
        ...['low', 'low', 'medium', 'high', 'high', 'high'].map((level) => `thinking:type:enabled,effort:${level}`),
      ],
    ],
    ['mode', ['-', 'thinking_mode:false', ...Array<string>(6).fill('thinking_mode:true')]],
    ['switch', ['-', 'thinking:type:disabled', ...Array<string>(6).fill('thinking:type:enabled')]],
    ['boolean', ['-', 'enable_thinking:false', ...Array<string>(6).fill('enable_thinking:true')]],
    ['none', REASONING_LEVELS.map(() => '-')],
  ] satisfies readonly [ReasoningDialect, readonly string[]][])('%s', (dialect, expected) => {
    expect(fields(dialect)).toEqual(expected);
  });

  test.each([
    ['https://openrouter.ai/api/v1', 'custom', 'x', 'openrouter'],
    ['https://api.deepseek.com/v1', 'custom', 'deepseek-v4', 'deepseek'],
    ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'qwen', 'qwen3-32b', 'budget'],
    ['https://api.mistral.ai/v1', 'mistral', 'x', 'none'],
    ['https://api.z.ai/api/paas/v4', 'zai', 'glm-4.6', 'switch'],
    ['https://api.openai.com/v1', 'openai', 'gpt-5', 'effort-from-minimal'],
    ['https://api.openai.com/v1', 'openai', 'gpt-5.2', 'effort-from-none'],
    ['https://api.openai.com/v1', 'openai', 'o3', 'effort'],
    ['http://localhost:8080/v1', 'llamacpp', 'x', 'template'],
    ['https://api.x.ai/v1', 'llamacpp', 'x', 'template'],
    ['https://api.x.ai/v1', 'xai', 'grok-3-mini', 'effort'],
    ['https://integrate.api.nvidia.com/v1', 'custom', 'deepseek-ai/deepseek-v4', 'effort-to-max'],
    ['https://opencode.ai/zen/v1', 'custom', 'x', 'effort-from-none'],
    ['https://ark.cn-beijing.volces.com/api/v3', 'custom', 'doubao-seed-1-6', 'switch'],
    ['https://ark.cn-beijing.volces.com/api/v3', 'custom', 'doubao-seed-1-6-lite-251015', 'switch-effort'],
    ['https://api.siliconflow.cn/v1', 'custom', 'x', 'boolean'],
    ['https://chat.intern-ai.org.cn/api/v1', 'custom', 'x', 'mode'],
  ])('%s (%s) %s speaks %s', (baseUrl, preset, modelId, dialect) => {
    expect(quirksOf(baseUrl, preset, modelId).reasoning).toBe(dialect);
  });

  test('a model without a switch, or without reasoning, is sent none', () => {
    expect(reasoningFields('budget', 'high', 'qwq-32b')).toEqual({});
    expect(reasoningFields('effort', 'high', 'qwen3-8b')).toEqual({});
    expect(reasoningFields('openrouter', 'high', 'qwen/qwen3-8b')).toEqual({ reasoning: { effort: 'high' } });
    expect(bodyAt('https://api.example.test/v1', { reasoning: 'high' }, 'custom', false)).not.toHaveProperty('reasoning_effort');
  });

  test('Kimi K2.6 keeps its thinking', () => {
    expect(reasoningFields('switch', 'high', 'kimi-k2.6')).toEqual({ thinking: { type: 'enabled', keep: 'all' } });
    expect(reasoningFields('switch', 'off', 'kimi-k2.6')).toEqual({ thinking: { type: 'disabled' } });
  });
});
