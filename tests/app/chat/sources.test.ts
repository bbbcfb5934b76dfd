import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../../src/app/chat/message-content';
import { hostedKind } from '../../../src/app/chat/hosted';
import { linksIn, sourcesOf } from '../../../src/app/chat/sources';
import type { Part } from '../../../src/core/node';

describe('sourcesOf', () => {
  it('names each address once, in the order of its first mention, with all that was quoted', () => {
    const sources = sourcesOf([
      { url: 'https://b.example', title: 'B', citedText: 'one' },
      { url: 'https://a.example/x', title: '' },
      { url: 'https://b.example/', title: 'B again', citedText: 'two' },
      { url: 'https://b.example/', title: 'B', citedText: ' one ' },
    ]);
    expect(sources).toEqual([
      { href: 'https://b.example/', host: 'b.example', title: 'B', quotes: ['one', 'two'] },
      { href: 'https://a.example/x', host: 'a.example', title: 'a.example/x', quotes: [] },
    ]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://x.example', '//x.example', 'x', ''])('leaves %j out', (url) => {
    expect(sourcesOf([{ url, title: 'T' }])).toEqual([]);
  });
});

describe('linksIn', () => {
  it('finds links and bare addresses, without the punctuation behind them', () => {
    const text = 'See [Nests](https://birds.example/nests) and https://other.example/a?b=1, then (https://third.example/x).';
    expect(linksIn(text)).toEqual([
      { url: 'https://birds.example/nests', title: 'Nests' },
      { url: 'https://other.example/a?b=1', title: '' },
      { url: 'https://third.example/x', title: '' },
    ]);
    expect(linksIn('见https://a.example/b。好')).toEqual([{ url: 'https://a.example/b', title: '' }]);
  });

  it('takes none from code', () => {
    expect(linksIn('Run `curl https://a.example` or\n```sh\ncurl https://b.example\n```\n')).toEqual([]);
  });
});

describe('hostedKind', () => {
  it.each([
    ['web_search', 'search'],
    ['google_search', 'search'],
    ['web_search_call', 'search'],
    ['web_fetch', 'page'],
    ['url_context', 'page'],
    ['code_execution', 'code'],
    ['bash_code_execution', 'code'],
    ['code_interpreter', 'code'],
    ['file_search', 'files'],
    ['image_generation', 'image'],
    ['mcp_weather', 'other'],
  ])('%s is %s', (name, kind) => {
    expect(hostedKind(name)).toBe(kind);
  });
});

describe('blocksOf', () => {
  it('leaves out what the provider works on while the answer is written', () => {
    const search: Part = { type: 'hosted', step: 1, id: 'h', name: 'web_search', status: 'running', queries: [], sources: [] };
    expect(blocksOf(keyed(search), true)).toHaveLength(0);
    expect(blocksOf(keyed(search), false)).toHaveLength(1);
  });

  const keyed = (...parts: Part[]): { key: string; part: Part }[] => parts.map((part, index) => ({ key: String(index), part }));
  const image = (blob: string): Part => ({ type: 'media', step: 1, kind: 'image', blob, mimeType: 'image/png', name: '', sizeBytes: 1 });
  const words = (text: string): Part => ({ type: 'text', step: 1, text });
  const source: Part = { type: 'citation', step: 1, url: 'https://a.example', title: 'A', textOffset: 0 };

  it('puts neighbouring files together and leaves sources and empty text out', () => {
    const blocks = blocksOf(keyed(image('a'), words(''), source, image('b'), words('Words'), source, image('c')), false);
    expect(blocks.map((block) => (block.type === 'files' ? block.files.map(({ key }) => key) : block.key))).toEqual([
      ['0', '3'],
      '4',
      ['6'],
    ]);
    expect(blocks.map(({ key }) => key)).toEqual(['0', '4', '6']);
  });
});
