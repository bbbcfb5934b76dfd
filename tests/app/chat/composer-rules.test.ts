import { describe, expect, it } from 'vitest';
import { searchModels } from '../../../src/app/chat/model-search';
import { nextSteps } from '../../../src/app/chat/next-steps';
import { isSendKey, type EnterEvent } from '../../../src/app/chat/send-key';
import type { Account, ModelInfo } from '../../../src/core/account';

const press = (changes: Partial<EnterEvent>): EnterEvent => ({
  key: 'Enter',
  keyCode: 13,
  isComposing: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  timeStamp: 10_000,
  ...changes,
});

describe('isSendKey', () => {
  it.each([
    ['Enter', {}, true, false],
    ['Shift+Enter', { shiftKey: true }, false, false],
    ['Ctrl+Enter', { ctrlKey: true }, true, true],
    ['Cmd+Enter', { metaKey: true }, true, true],
    ['Ctrl+Shift+Enter', { ctrlKey: true, shiftKey: true }, false, false],
    ['Alt+Enter', { altKey: true }, false, false],
    ['a letter', { key: 'a', keyCode: 65 }, false, false],
    ['Enter inside a composition', { isComposing: true }, false, false],
    ['Enter taken by an input method (229)', { keyCode: 229 }, false, false],
    ['Ctrl+Enter inside a composition', { isComposing: true, ctrlKey: true }, false, false],
  ])('%s', (_name, changes, withEnter, withModifier) => {
    expect(isSendKey(press(changes), 'enter', -Infinity)).toBe(withEnter);
    expect(isSendKey(press(changes), 'mod-enter', -Infinity)).toBe(withModifier);
  });

  it('is not the Enter that Safari reports just after the composition it ended', () => {
    expect(isSendKey(press({ timeStamp: 10_000 }), 'enter', 9_998)).toBe(false);
    expect(isSendKey(press({ timeStamp: 10_000 }), 'enter', 9_500)).toBe(true);
  });
});

describe('nextSteps', () => {
  it.each([
    ['auth', false, ['accounts', 'retry']],
    ['quota', true, ['accounts', 'retry']],
    ['offline-lock', false, ['unlock', 'retry']],
    ['stream-cut', true, ['continue', 'retry']],
    ['stream-cut', false, ['retry']],
    ['overloaded', false, ['retry']],
    ['model-not-downloaded', false, ['models', 'retry']],
    ['out-of-memory', true, ['models', 'retry']],
  ] as const)('%s, with text: %s', (code, canContinue, steps) => {
    expect(nextSteps(code, canContinue)).toEqual(steps);
  });
});

describe('searchModels', () => {
  const account = (id: string, name: string): Account => ({
    id,
    name,
    provider: 'p',
    preset: 'p',
    baseUrl: 'https://example.org',
    hasKey: true,
    streaming: true,
    reasoning: 'auto',
    sampling: {},
    headers: [],
    body: {},
    overrides: {},
  });
  const model = (id: string, name = id): ModelInfo => ({
    id,
    name,
    capabilities: { vision: false, tools: false, reasoning: false, contextTokens: null },
  });
  const accounts = [
    { account: account('a', 'Near'), models: [model('small-1', 'Small One'), model('large-1', 'Large One')] },
    { account: account('b', 'Far'), models: null },
  ];
  const keys = (query: string): string[] => searchModels(accounts, query).flatMap((group) => group.options.map((option) => option.key));

  it('offers everything, and accounts without a list, while nothing is searched', () => {
    expect(keys('')).toEqual(['a/small-1', 'a/large-1']);
    expect(searchModels(accounts, '').map((group) => group.isListed)).toEqual([true, false]);
  });

  it('wants every word, in name, id or account', () => {
    expect(keys('near large')).toEqual(['a/large-1']);
    expect(keys('one small')).toEqual(['a/small-1']);
    expect(keys('nothing here')).toEqual([]);
  });

  it('offers the typed text as an exact name, but not where the list has it', () => {
    expect(keys('small-1')).toEqual(['a/small-1', 'b?']);
    expect(keys('my-model:8b')).toEqual(['a?', 'b?']);
  });
});
