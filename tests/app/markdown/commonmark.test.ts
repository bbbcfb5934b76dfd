import { describe, expect, it } from 'vitest';
import { toBlockContent } from '../../../src/app/markdown/block-nodes';
import { parseBlock } from '../../../src/app/markdown/parser';
import { between, seeded } from '../../support/random';
import { atOnce, everyCut, streamed } from './reading';
import { EXAMPLES } from './specification';

const SEED = 20_261_201;
/** Longer texts are cut at random places instead of at each. */
const LONGEST_CUT_EVERYWHERE = 200;
const RANDOM_ROUNDS = 8;

describe('the examples of CommonMark, tags as text', () => {
  it('end the same while they arrive as at once', { timeout: 120_000 }, () => {
    const random = seeded(SEED);
    for (const { number, markdown } of EXAMPLES) {
      const whole = atOnce(markdown);
      if (markdown.length <= LONGEST_CUT_EVERYWHERE) expect(streamed(markdown, everyCut(markdown)), `example ${number}`).toEqual(whole);
      for (let round = 0; round < RANDOM_ROUNDS; round++) {
        const cuts = Array.from({ length: between(random, 1, 8) }, () => between(random, 0, markdown.length)).sort((a, b) => a - b);
        expect(streamed(markdown, cuts), `example ${number}, cut at ${cuts.join(' ')} (seed ${SEED})`).toEqual(whole);
      }
    }
    const cutEverywhere = EXAMPLES.filter(({ markdown }) => markdown.length <= LONGEST_CUT_EVERYWHERE).length;
    console.log(`CommonMark: ${EXAMPLES.length} examples streamed in random pieces, ${cutEverywhere} of them by the character too`);
  });

  it('end the same when one follows another', { timeout: 120_000 }, () => {
    const random = seeded(SEED + 1);
    for (let round = 0; round < 300; round++) {
      const picked = Array.from({ length: 4 }, () => EXAMPLES[between(random, 0, EXAMPLES.length - 1)]?.markdown ?? '');
      const text = picked.join(round % 2 === 0 ? '\n' : '');
      const cuts = Array.from({ length: 10 }, () => between(random, 0, text.length)).sort((a, b) => a - b);
      expect(streamed(text, cuts), `${JSON.stringify(text)}, cut at ${cuts.join(' ')}`).toEqual(atOnce(text));
    }
  });

  it('give, block by block, what parsing them in one piece gives', () => {
    for (const { number, markdown } of EXAMPLES) {
      const whole = toBlockContent(parseBlock(markdown, {}), 0).nodes;
      expect(
        atOnce(markdown).blocks.flatMap((block) => block.nodes),
        `example ${number}`,
      ).toEqual(whole);
    }
  });
});
