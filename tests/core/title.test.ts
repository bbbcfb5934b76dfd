import { expect, test } from 'vitest';
import { localTitle } from '../../src/core/title';

const title = (text: string, name?: string): string =>
  localTitle({
    text,
    attachments: name === undefined ? [] : [{ kind: 'image', blob: 'x', mimeType: 'image/png', name, sizeBytes: 1 }],
  });

test.each([
  ['How do I reset the router?', 'How do I reset the router?'],
  ['\n\n## **Plan** for `today`\nmore', 'Plan for today'],
  ['- first point', 'first point'],
  ['---\n***\nwords at last', 'words at last'],
  ['如何重置路由器？', '如何重置路由器？'],
  ['a\u202eb', 'a b'],
])('%j gives %j', (text, expected) => {
  expect(title(text)).toBe(expected);
});

test('a long line is cut at a word and never inside a character', () => {
  expect(title('word '.repeat(40))).toBe('word word word word word word word word word word word…');
  const smiles = title('😀'.repeat(80));
  expect([...smiles]).toHaveLength(60);
  expect(new TextDecoder().decode(new TextEncoder().encode(smiles))).toBe(smiles);
});

test('without words the first file names the conversation', () => {
  expect(title('', 'holiday.png')).toBe('holiday.png');
  expect(title('?!', 'holiday.png')).toBe('holiday.png');
  expect(title('')).toBe('');
});
