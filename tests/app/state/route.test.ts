import { describe, expect, test } from 'vitest';
import { hrefOf, parseRoute, START, type Route } from '../../../src/app/state/route';

describe('routes', () => {
  test.each<[string, Route]>([
    ['', START],
    ['#', START],
    ['#/', START],
    ['#/c/', START],
    ['#/nowhere/else', START],
    ['#/c/abc', { name: 'chat', conversationId: 'abc' }],
    ['#/c/a%2Fb%20%C3%A4', { name: 'chat', conversationId: 'a/b ä' }],
    ['#/c/100%', { name: 'chat', conversationId: '100%' }],
    ['#/settings', { name: 'settings', section: 'accounts', item: null }],
    ['#/settings/nothing/x', { name: 'settings', section: 'accounts', item: null }],
    ['#/settings/privacy', { name: 'settings', section: 'privacy', item: null }],
    ['#/settings/accounts/new%3Aollama', { name: 'settings', section: 'accounts', item: 'new:ollama' }],
  ])('%s', (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });

  test.each<Route>([
    START,
    { name: 'chat', conversationId: 'id with/slash and %' },
    { name: 'settings', section: 'data', item: null },
    { name: 'settings', section: 'accounts', item: 'new:lm studio' },
  ])('%j survives being a link', (route) => {
    expect(parseRoute(hrefOf(route))).toEqual(route);
  });
});
