import { describe, expect, it } from 'vitest';
import { toBlockContent } from '../../../src/app/markdown/block-nodes';
import { MarkdownDocument } from '../../../src/app/markdown/document';
import { parseBlock } from '../../../src/app/markdown/parser';
import { atOnce, everyCut, readAll, streamed } from './reading';
import { SAMPLES } from './samples';

const SEED = 20_261_130;

/** A small generator, so that a failing case can be run again. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('reading a growing text', () => {
  it.each(Object.entries(SAMPLES))('ends as reading it at once, character by character: %s', (_, text) => {
    expect(streamed(text, everyCut(text))).toEqual(atOnce(text));
  });

  it.each(Object.entries(SAMPLES))('ends as reading it at once for a cut at any place: %s', (_, text) => {
    const whole = atOnce(text);
    for (let cut = 0; cut <= text.length; cut++) expect(streamed(text, [cut])).toEqual(whole);
  });

  it(`ends as reading it at once for random mixtures (seed ${SEED})`, () => {
    const random = makeRandom(SEED);
    const lines = Object.values(SAMPLES).flatMap((text) => text.split('\n'));
    for (let round = 0; round < 400; round++) {
      const count = 2 + Math.floor(random() * 14);
      const picked = Array.from({ length: count }, () => (random() < 0.2 ? '' : (lines[Math.floor(random() * lines.length)] ?? '')));
      const text = picked.join('\n');
      const cuts = Array.from({ length: 12 }, () => Math.floor(random() * text.length)).sort((a, b) => a - b);
      expect(streamed(text, cuts), JSON.stringify({ text, cuts })).toEqual(atOnce(text));
    }
  });

  it(`gives what parsing the whole text gives (seed ${SEED})`, () => {
    const random = makeRandom(SEED + 1);
    // Without definitions, whose place in one parse of the whole is another.
    const lines = Object.values(SAMPLES)
      .flatMap((text) => text.replaceAll('\r', '').replaceAll('\0', '').split('\n'))
      .filter((line) => !line.includes(']:') && !line.includes('^['));
    for (let round = 0; round < 400; round++) {
      const picked = Array.from({ length: 12 }, () => (random() < 0.25 ? '' : (lines[Math.floor(random() * lines.length)] ?? '')));
      const text = picked.join('\n');
      const whole = toBlockContent(parseBlock(text, {}), 0).nodes;
      expect(
        atOnce(text).blocks.flatMap((block) => block.nodes),
        JSON.stringify(text),
      ).toEqual(whole);
    }
  });

  it('keeps the objects of finished blocks while the rest grows', () => {
    const text = SAMPLES['ordinary'] ?? '';
    const document = new MarkdownDocument();
    const seen = new Map<number, unknown>();
    for (let cut = 1; cut <= text.length; cut++) {
      const { blocks } = document.read(text.slice(0, cut), true);
      for (const block of blocks) if (seen.has(block.key) && !block.isOpen) expect(block).toBe(seen.get(block.key));
      for (const block of blocks.slice(0, -2)) seen.set(block.key, block);
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  it('parses again only the blocks that use a link defined later', () => {
    const document = new MarkdownDocument();
    const start = 'First [docs].\n\nSecond.\n\n';
    const before = document.read(start + 'x', true).blocks;
    const after = document.read(`${start}x\n\n[docs]: https://example.org\n\nend\n`, true).blocks;
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect(JSON.stringify(after[0])).toContain('https://example.org/');
  });

  it('takes a long text in steps', () => {
    const text = 'word '.repeat(4000) + '\n\n' + 'word '.repeat(4000);
    const document = new MarkdownDocument();
    expect(document.read(text, false).isBehind).toBe(true);
    expect(readAll(document, text, false)).toEqual(atOnce(text));
  });

  it('reads another text anew and a finished one on', () => {
    const document = new MarkdownDocument();
    readAll(document, 'one [a]\n\n[a]: https://example.org', false);
    expect(readAll(document, 'two', false)).toEqual(atOnce('two'));
    readAll(document, 'two\n\nthree', true);
    expect(readAll(document, 'two\n\nthree four', false)).toEqual(atOnce('two\n\nthree four'));
  });

  it('numbers footnotes by their first reference, with the first definition', () => {
    const { footnotes } = atOnce(SAMPLES['footnotes'] ?? '');
    expect(footnotes.map(({ number, key }) => [number, key])).toEqual([
      [1, 'label:b'],
      [2, 'label:a'],
      [3, expect.stringContaining('place:')],
      [4, 'label:__proto__'],
      [5, 'label:c'],
    ]);
    expect(JSON.stringify(footnotes[1])).toContain('second paragraph');
  });

  it('takes no part of a link that is still arriving for its address', () => {
    const document = new MarkdownDocument();
    const { blocks } = document.read('See [the page](https://exam', true);
    expect(blocks[0]?.nodes).toEqual([{ type: 'paragraph', tight: false, children: [{ type: 'text', text: 'See the page' }] }]);
  });

  it('draws no heading for a line that may become a list', () => {
    const { blocks } = new MarkdownDocument().read('Some text\n-', true);
    expect(blocks[0]?.nodes[0]?.type).toBe('paragraph');
  });
});
