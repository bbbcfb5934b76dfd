import { expect, test } from 'vitest';
import { isOnDevice } from '../../src/core/account';
import { PROVIDERS } from '../../src/providers/index';
import { PRESETS } from '../../src/providers/presets';
import { describeProvider } from './provider';

// Models on this device have no server: `tests/providers/on-device.test.ts`.
for (const provider of PROVIDERS) if (!isOnDevice({ provider: provider.id })) describeProvider(provider);

test('ids of providers and presets are unique, and every preset has its provider', () => {
  expect(new Set(PROVIDERS.map((provider) => provider.id)).size).toBe(PROVIDERS.length);
  expect(new Set(PRESETS.map((preset) => preset.id)).size).toBe(PRESETS.length);
  for (const preset of PRESETS) expect(PROVIDERS.map((provider) => provider.id)).toContain(preset.provider);
});

test('the list says of each provider what its own file says', async () => {
  const loaded = await Promise.all([
    import('../../src/providers/openai-chat').then((module) => module.openAiChat),
    import('../../src/providers/openai-responses').then((module) => module.openAiResponses),
    import('../../src/providers/anthropic-messages').then((module) => module.anthropicMessages),
    import('../../src/providers/google-generative').then((module) => module.googleGenerative),
    import('../../src/providers/on-device').then((module) => module.onDevice),
    import('../../src/providers/browser-model').then((module) => module.browserModel),
  ]);
  expect(PROVIDERS.map(({ id, name }) => [id, name])).toEqual(loaded.map(({ id, name }) => [id, name]));
});
