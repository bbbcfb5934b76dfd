import { describe, expect, it } from 'vitest';
import { describeLink, isAcceptedAddress, readImage, readLink } from '../../../src/app/markdown/link-policy';

describe('what may be opened', () => {
  it.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c', 'example.org'],
    ['HTTP://EXAMPLE.org:8080', 'http://example.org:8080/', 'example.org:8080'],
    ['mailto:a@example.org?subject=x', 'mailto:a@example.org?subject=x', 'a@example.org'],
    ['https://b\u00fccher.example/', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
    ['https://\u0440\u0430ypal.com', 'https://xn--ypal-43d9g.com/', 'xn--ypal-43d9g.com'],
  ])('%s', (href, opened, host) => {
    expect(readLink(href)).toMatchObject({ href: opened, host });
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'blob:https://app.invalid/1',
    'file:///etc/hostname',
    'ftp://example.org',
    'about:blank',
    'intent://x',
    '//example.org/x',
    '/path',
    'file.md',
    '#part',
    '',
    'https://',
    'https://[',
  ])('nothing of %j', (href) => {
    expect(readLink(href)).toBeNull();
  });

  it.each([
    ['javascript:alert(1)', false],
    ['\tjavascript:alert(1)', false],
    ['data:text/html;base64,AAAA', false],
    ['data:image/svg+xml;base64,AAAA', false],
    ['data:image/png;base64,AAAA', true],
    ['https://example.org', true],
    ['mailto:a@b.example', true],
    ['relative/file.md', true],
  ])('takes %j as an address: %s', (url, isAccepted) => {
    expect(isAcceptedAddress(url)).toBe(isAccepted);
  });
});

describe('what is shown beside a link', () => {
  it.each([
    ['https://example.org/a', 'docs', 'example.org', false],
    ['https://example.org/a', 'https://example.org/a', null, false],
    ['https://example.org/a', 'example.org', null, false],
    ['https://example.org/a', 'EXAMPLE.org/a/long/path', null, false],
    ['https://bank.example.evil.invalid/', 'https://bank.example', 'bank.example.evil.invalid', true],
    ['https://evil.invalid/', 'bank.example', 'evil.invalid', true],
    ['https://evil.invalid/', 'www.bank.example/login', 'evil.invalid', true],
    ['https://evil.invalid/', 'https://evil.invalid@bank.example', 'evil.invalid', true],
    ['https://bank.example@evil.invalid/', 'https://bank.example@evil.invalid/', 'evil.invalid', true],
    ['https://xn--ypal-43d9g.com/', 'https://\u0440\u0430ypal.com/', 'xn--ypal-43d9g.com', false],
    ['mailto:a@example.org', 'a@example.org', null, false],
    ['mailto:a@example.org', 'write me', 'a@example.org', false],
    ['mailto:evil@example.org', 'good@bank.example', 'evil@example.org', true],
  ])('%s as %j', (href, text, shownHost, misleading) => {
    const target = readLink(href);
    expect(target === null ? null : describeLink(target, text)).toEqual({ shownHost, misleading });
  });
});

describe('pictures', () => {
  it.each([
    ['https://example.org/a.png', 'remote', 'example.org'],
    ['//example.org/a.png', 'remote', 'example.org'],
    ['data:image/png;base64,AAAA', 'embedded', ''],
    ['data:image/svg+xml;base64,AAAA', 'refused', ''],
    ['data:image/png;base64,AAAA" onerror="x', 'refused', ''],
    ['mailto:a@example.org', 'refused', ''],
    ['a.png', 'refused', ''],
    ['blob:https://app.invalid/1', 'refused', ''],
  ])('%s', (url, kind, host) => {
    expect(readImage(url, 'alt')).toMatchObject({ kind, host, alt: 'alt' });
  });
});
