import { expect, test } from 'vitest';
import { PROVIDERS } from '../../src/providers/index';
import { PRESETS } from '../../src/providers/presets';
import { describeProvider } from './provider';

for (const provider of PROVIDERS) describeProvider(provider);

test('ids of providers and presets are unique, and every preset has its provider', () => {
  expect(new Set(PROVIDERS.map((provider) => provider.id)).size).toBe(PROVIDERS.length);
  expect(new Set(PRESETS.map((preset) => preset.id)).size).toBe(PRESETS.length);
  for (const preset of PRESETS) expect(PROVIDERS.map((provider) => provider.id)).toContain(preset.provider);
});
