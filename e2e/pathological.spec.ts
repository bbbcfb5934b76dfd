import { LAST_WORDS, PATHOLOGICAL_TEXTS, type PathologicalText } from '../tests/support/pathological-texts';
import { expect, test } from './support/app';
import { recordMainThread } from './support/main-thread';
import { openBench, openStored, streamText } from './support/pathological-run';

/** Far above what the bench prints, and in the page's own time: a busy machine must not fail it. */
const LONGEST_TASK_MS = 1_000;
const LONGEST_WAIT_MS = 90_000;

/** One of each kind; the bench has them all. */
const TRIED: ReadonlySet<string> = new Set([
  'one line of 1 MB',
  '5,000 list items',
  '200 tables',
  '2,000 formulas in one paragraph',
  'unclosed fence of 200 kB',
  'unclosed formula of 200 kB',
  'quotes 500 deep',
  '10,000 lines of code',
  'right-to-left text with numbers',
  'zero-width and direction characters',
  '5,000 footnotes',
  'a table of 3,000 rows',
]);
const isRow = ({ name }: PathologicalText): boolean => name.endsWith('in a row');
/** The bench tells the marks apart; here they share an answer. */
const EVERY_MARK: PathologicalText = {
  name: '10,000 of every mark in a row',
  text: PATHOLOGICAL_TEXTS.filter(isRow)
    .map(({ text }) => text.replace(LAST_WORDS, ''))
    .join('')
    .concat(LAST_WORDS),
  draws: {},
};

for (const subject of [...PATHOLOGICAL_TEXTS.filter(({ name }) => TRIED.has(name)), EVERY_MARK]) {
  test(`draws, without holding the page: ${subject.name}`, async ({ app, page }) => {
    test.setTimeout(2.5 * LONGEST_WAIT_MS);
    await openBench(app);
    let end = await recordMainThread(page);
    expect(await streamText(app, subject, LONGEST_WAIT_MS), 'missing after streaming').toEqual([]);
    expect((await end()).longestTaskMs, 'longest task of streaming').toBeLessThan(LONGEST_TASK_MS);
    const missing = await openStored(app, subject, LONGEST_WAIT_MS, async () => {
      end = await recordMainThread(page);
    });
    expect(missing, 'missing after opening').toEqual([]);
    expect((await end()).longestTaskMs, 'longest task of opening').toBeLessThan(LONGEST_TASK_MS);
  });
}
