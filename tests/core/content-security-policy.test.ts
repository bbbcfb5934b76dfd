import { describe, expect, test } from 'vitest';
import { HEADER_POLICY, META_POLICY, relaxedPolicy } from '../../src/core/content-security-policy';

const directives = (policy: string): ReadonlyMap<string, string> =>
  new Map(policy.split('; ').map((directive) => [directive.slice(0, directive.indexOf(' ')), directive.slice(directive.indexOf(' ') + 1)]));

describe('content security policy', () => {
  test('lets no text become a script and nothing of a model’s answer load or be sent', () => {
    const policy = directives(HEADER_POLICY);
    expect(policy.get('script-src')).toBe("'self' 'wasm-unsafe-eval'");
    expect(policy.get('img-src')).toBe("'self' data: blob:");
    for (const name of ['object-src', 'base-uri', 'form-action', 'frame-src', 'frame-ancestors']) expect(policy.get(name)).toBe("'none'");
    for (const name of ['script-src', 'style-src', 'default-src']) expect(policy.get(name)).not.toContain('unsafe-inline');
  });

  test('the page’s element has what an element may have', () => {
    expect([...directives(META_POLICY).keys()]).not.toContain('frame-ancestors');
    expect([...directives(HEADER_POLICY).keys()]).toEqual([...directives(META_POLICY).keys(), 'frame-ancestors']);
  });

  test('a relaxed one differs only where it was asked to', () => {
    const relaxed = directives(relaxedPolicy({ 'style-src': "'self' 'unsafe-inline'" }));
    const changed = [...relaxed].filter(([name, sources]) => directives(META_POLICY).get(name) !== sources);
    expect(changed).toEqual([['style-src', "'self' 'unsafe-inline'"]]);
  });
});
