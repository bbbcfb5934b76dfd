import { describe, expect, test } from 'vitest';
import { isOtherKind, lookUp } from '../../src/providers/catalogue';
import { openAiChat } from '../../src/providers/openai-chat';
import { readModelList } from '../../src/providers/shared/model-list';
import { testAccount } from './run-provider';

describe('known names', () => {
  test.each([
    ['gpt-4o-mini', 'vt', 128_000],
    ['openai/gpt-4.1-nano', 'vt', 1_047_000],
    ['gpt-4', 't', 8_000],
    ['gpt-5.1', 'vtr', 400_000],
    ['o3-mini-2025-01-31', 'tr', 200_000],
    ['anthropic/claude-sonnet-4.5', 'vtr', 200_000],
    ['claude-3-5-haiku-latest', 'vt', 200_000],
    ['models/gemini-2.5-flash', 'vtr', 1_048_000],
    ['llama3.2:3b', 't', 128_000],
    ['llama3.2-vision:11b', 'v', 128_000],
    ['gemma3:4b', 'v', 128_000],
    ['qwen3:8b', 'tr', 128_000],
    ['Qwen/Qwen2.5-VL-7B-Instruct', 'vt', 128_000],
    ['deepseek-r1:14b', 'r', 128_000],
    ['deepseek-chat', 't', 128_000],
    ['grok-4-fast-reasoning', 'vtr', 2_000_000],
    ['grok-4-1-fast-non-reasoning', 'vt', 2_000_000],
    ['kimi-k2.6', 'vtr', 262_000],
    ['magistral-small-2509', 'vtr', 128_000],
    ['something-new', 't', null],
  ])('%s: %s, %s tokens', (id, abilities, contextTokens) => {
    const known = lookUp(id);
    const found = `${known.vision ? 'v' : ''}${known.tools ? 't' : ''}${known.reasoning ? 'r' : ''}`;
    expect([found, known.contextTokens]).toEqual([abilities, contextTokens]);
  });

  test.each([
    'text-embedding-3-small',
    'bge-m3',
    'whisper-1',
    'tts-1-hd',
    'dall-e-3',
    'nomic-embed-text',
    'gpt-image-1',
    'omni-moderation-latest',
    'llama-guard-4',
  ])('%s does not chat', (id) => {
    expect(isOtherKind(id)).toBe(true);
  });

  test.each(['gpt-4o', 'llama-3.3-70b', 'glm-5', 'solar-pro', 'gemma-2-9b'])('%s chats', (id) => {
    expect(isOtherKind(id)).toBe(false);
  });
});

describe('a list of models', () => {
  test.each([
    ['data', { data: [{ id: 'b' }, { id: 'a' }, { id: 'a' }] }, ['a', 'b']],
    ['a bare array', [{ id: 'a' }], ['a']],
    ['models with names', { models: [{ name: 'llama3' }, { model: 'x', name: 'X' }] }, ['llama3', 'x']],
    ['other kinds among them', { data: [{ id: 'a', type: 'chat' }, { id: 'b', type: 'embedding' }, { id: 'tts-1' }] }, ['a']],
    ['nothing', { object: 'list' }, []],
    ['noise', { data: [null, 'x', {}, { id: 7 }] }, []],
  ])('%s', (_name, value, ids) => {
    expect(readModelList(value).map((model) => model.id)).toEqual(ids);
  });

  test.each([
    [{ context_length: 4096 }, 4096],
    [{ max_model_len: '128K' }, 128_000],
    [{ top_provider: { context_length: 1_000_000 } }, 1_000_000],
    [{ meta: { n_ctx_train: 32_768 } }, 32_768],
    [{ context_length: 0 }, null],
    [{ context_window: 99_000_000 }, null],
  ])('%j holds %s tokens', (fields, tokens) => {
    expect(readModelList([{ id: 'new-model', ...fields }])[0]?.capabilities.contextTokens).toBe(tokens);
  });

  test('says what models can do, in the words of each host', () => {
    const [router, mistral, studio] = readModelList([
      { id: 'a', architecture: { input_modalities: ['text', 'image'] }, supported_parameters: ['tools', 'reasoning'] },
      { id: 'b', capabilities: { vision: true, function_calling: false } },
      { id: 'c', type: 'vlm' },
    ]);
    expect(router?.capabilities).toMatchObject({ vision: true, tools: true, reasoning: true });
    expect(mistral?.capabilities).toMatchObject({ vision: true, tools: false });
    expect(studio?.capabilities).toMatchObject({ vision: true });
  });
});

test('the user’s word wins over the list, the list over the catalogue', () => {
  const account = testAccount('https://a.test/v1', { overrides: { 'gpt-4o': { vision: false } } });
  const listed = { id: 'gpt-4o', name: 'x', capabilities: { vision: true, tools: false, reasoning: false, contextTokens: 7 } };
  expect(openAiChat.capabilities('gpt-4o', account, listed)).toEqual({ vision: false, tools: false, reasoning: false, contextTokens: 7 });
  expect(openAiChat.capabilities('gpt-4o', testAccount('https://a.test/v1'))).toMatchObject({ vision: true, contextTokens: 128_000 });
});
