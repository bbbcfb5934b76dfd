import { describe, expect, test } from 'vitest';
import { commandsFor, localServerOf, platformOf } from '../../../src/app/settings/local-server';
import { PRESETS } from '../../../src/providers/presets';

const ORIGIN = 'https://chat.example.com';

describe('which server it is', () => {
  test('every preset of a server on this machine is known', () => {
    const local = PRESETS.filter((preset) => preset.local);
    expect(local.length).toBeGreaterThan(2);
    for (const preset of local) expect(localServerOf({ preset: preset.id, baseUrl: 'http://192.168.1.5:9000' }), preset.id).not.toBeNull();
  });

  test.each([
    ['http://localhost:11434/v1', 'ollama'],
    ['http://127.0.0.1:1234/v1', 'lm-studio'],
    ['http://[::1]:8080/v1', 'llama-cpp'],
    ['http://localhost:9999/v1', null],
    ['https://example.com:11434/v1', null],
    ['no address', null],
  ])('%s', (baseUrl, expected) => {
    expect(localServerOf({ preset: 'custom', baseUrl })).toBe(expected);
  });
});

describe('what to enter', () => {
  test('Ollama as a service: the reader’s own system first, with the real origin', () => {
    const commands = commandsFor('ollama', 'origin-blocked', ORIGIN, 'windows');
    expect(commands.map(({ place }) => place)).toEqual(['windows', 'macos', 'linux', 'shell']);
    for (const { line } of commands) expect(line).toContain(ORIGIN);
  });

  test('LM Studio has a switch and a command', () => {
    expect(commandsFor('lm-studio', 'origin-blocked', ORIGIN, 'macos')).toEqual([
      { place: 'setting', line: null },
      { place: 'shell', line: 'lms server start --cors' },
    ]);
  });

  test('llama.cpp', () => {
    expect(commandsFor('llama-cpp', 'origin-blocked', ORIGIN, 'linux')).toEqual([
      { place: 'shell', line: `llama-server -m model.gguf --cors-origins ${ORIGIN}` },
    ]);
  });

  test('a server that does not run is started with the page allowed at once', () => {
    expect(commandsFor('ollama', 'server-unreachable', ORIGIN, 'linux')).toEqual([
      { place: 'shell', line: `OLLAMA_ORIGINS="${ORIGIN}" ollama serve` },
    ]);
  });

  test('no command where none helps', () => {
    expect(commandsFor('ollama', 'auth', ORIGIN, 'linux')).toEqual([]);
  });
});

test.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macos'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'linux'],
  ['something else', 'shell'],
])('%s is %s', (description, expected) => {
  expect(platformOf(description)).toBe(expected);
});
