import { describe, expect, it } from 'vitest';
import type { BlockNode } from '../../../src/app/markdown/nodes';
import { between, seeded } from '../../support/random';
import { LAST_WORDS, PATHOLOGICAL_TEXTS } from '../../support/pathological-texts';
import { atOnce, streamed } from './reading';

const SEED = 20_261_202;
/** Larger ones differ from these by their number of blocks only. */
const LARGEST_TEXT = 600_000;
const TEXTS = PATHOLOGICAL_TEXTS.filter(({ text }) => text.length <= LARGEST_TEXT);

const nodesOf = (text: string): readonly BlockNode[] => atOnce(text).blocks.flatMap((block) => block.nodes);
const lines = (count: number, make: (at: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(between);

function wordsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map(wordsOf).join(' ');
  return Object.entries(value)
    .map(([name, item]) => ((name === 'text' || name === 'source') && typeof item === 'string' ? item : wordsOf(item)))
    .join(' ');
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('blocks of any size', () => {
  it('go on with a list under the right numbers, however it is numbered', () => {
    for (const text of [lines(3000, (at) => `${at + 7}. item ${at}`), lines(3000, (at) => `7. item ${at}`)]) {
      const lists = nodesOf(text).map((node) => (node.type === 'list' ? node : null));
      expect(lists.length).toBeGreaterThan(2);
      let next = 7;
      for (const list of lists) {
        expect(list?.start).toBe(next);
        next += list?.items.length ?? 0;
      }
      expect(next).toBe(3007);
    }
  });

  it('keep items whole', () => {
    const nodes = nodesOf(lines(500, (at) => `- item ${at}\n\n  more of it\n\n  - below`, '\n\n'));
    expect(nodes.every((node) => node.type === 'list' && node.items.every((item) => item.children.length === 3))).toBe(true);
  });

  it('repeat the head of a table', () => {
    const tables = nodesOf(`| a | b |\n|---|--:|\n${lines(1000, (at) => `| ${at} | value ${at} |`)}`);
    expect(tables.length).toBeGreaterThan(1);
    let rows = 0;
    for (const table of tables) {
      expect(table).toMatchObject({ type: 'table', alignments: ['start', 'end'], header: [[{ text: 'a' }], [{ text: 'b' }]] });
      rows += table.type === 'table' ? table.rows.length : 0;
    }
    expect(rows).toBe(1000);
  });

  it('cut quotes between their blocks and paragraphs between their sentences', () => {
    const quotes = nodesOf(lines(300, (at) => `> Paragraph ${at} of the quote, with some words.`, '\n>\n'));
    expect(quotes.map((node) => node.type)).toEqual(quotes.map(() => 'quote'));
    const paragraphs = nodesOf(lines(1000, (at) => `Sentence **${at}** is not long.`, ' '));
    expect(paragraphs.length).toBeGreaterThan(2);
    for (const paragraph of paragraphs) expect(wordsOf(paragraph)).toMatch(/^\s*Sentence .* is not long\.\s*$/);
  });

  it('show what no reader needs marked up as it is written', () => {
    expect(nodesOf(`- one item\n${lines(3000, (at) => `  line ${at} of its paragraph`)}`)).toMatchObject([{ type: 'code', language: '' }]);
  });

  it('keep long code where it stands', () => {
    const code = lines(4000, (at) => `  line ${at} of the code`);
    expect(nodesOf(`- text\n\n  \`\`\`js\n${code}\n  \`\`\`\n- next`)).toMatchObject([
      { type: 'list', items: [{ children: [{ type: 'paragraph' }, { type: 'code', language: 'js' }] }, {}] },
    ]);
    expect(nodesOf(`> \`\`\`\n${code.replaceAll(/^/gm, '> ')}`)).toMatchObject([
      { type: 'quote', children: [{ type: 'code', open: true }] },
    ]);
  });

  it('hold fewer formulas than words', () => {
    const nodes = nodesOf(lines(1000, (at) => `$x_{${at}}$`, ' and '));
    for (const node of nodes) expect(JSON.stringify(node).split('"formula"').length).toBeLessThan(100);
  });

  it('draw quotes, lists and marks only so deep, and lose no word of them', () => {
    const levels = lines(40, (at) => `${'> '.repeat(at)}> level${at + 1}`);
    const items = lines(40, (at) => `${'  '.repeat(at)}- level${at + 1}`);
    for (const text of [levels, items]) {
      const nodes = nodesOf(`${text}\n\nafter`);
      for (let level = 1; level <= 40; level++) expect(wordsOf(nodes)).toMatch(new RegExp(`level${level}\\b`));
      expect(nodes.at(-1)).toMatchObject({ type: 'paragraph', children: [{ text: 'after' }] });
      expect(depthOf(nodes)).toBeLessThan(60);
    }
    const emphasis = nodesOf(`${'*a '.repeat(500)}${'b* '.repeat(500)}`);
    expect(wordsOf(emphasis).replaceAll(/[\s*]/g, '')).toBe('a'.repeat(500) + 'b'.repeat(500));
    expect(depthOf(emphasis)).toBeLessThan(60);
  });
});

describe('texts that cost a naive reader seconds', () => {
  it.each(TEXTS.map(({ name, text }) => [name, text] as const))('end the same however they arrived: %s', { timeout: 60_000 }, (_, text) => {
    const random = seeded(SEED);
    const whole = atOnce(text);
    expect(JSON.stringify(whole)).toContain(LAST_WORDS);
    const cuts = Array.from({ length: 12 }, () => between(random, 0, text.length)).sort((a, b) => a - b);
    // Compared as text: listing the differences of two such trees would take minutes.
    expect(JSON.stringify(streamed(text, cuts)) === JSON.stringify(whole), `cut at ${cuts.join(' ')}`).toBe(true);
  });
});
