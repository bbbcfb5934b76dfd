import { afterAll, describe, expect, it } from 'vitest';
import { draw } from './drawn';
import { drawnHtml, wantedHtml } from './plain-html';
import { deviationOf, EXAMPLES, htmlWithTagsAsText, type Example } from './specification';

const COMPARED = 'compared';
const byDeviation = new Map<string, Example[]>();
for (const example of EXAMPLES) {
  const reason = deviationOf(example) ?? COMPARED;
  byDeviation.set(reason, [...(byDeviation.get(reason) ?? []), example]);
}
const of = (reason: string): readonly Example[] => byDeviation.get(reason) ?? [];

/** The examples that are drawn in another way than wanted, each with both. */
async function findDifferences(examples: readonly Example[], wanted: (example: Example) => string): Promise<readonly unknown[]> {
  const differences: unknown[] = [];
  for (const example of examples) {
    const root = await draw(example.markdown);
    const [is, shouldBe] = [drawnHtml(root), wantedHtml(wanted(example))];
    if (is !== shouldBe) differences.push({ example: example.number, markdown: example.markdown, is, shouldBe });
  }
  return differences;
}

describe('the examples of CommonMark', () => {
  afterAll(() => {
    const counts = [...byDeviation].map(([reason, examples]) => `${examples.length} ${reason}`);
    console.log(`CommonMark, ${EXAMPLES.length} examples: ${counts.join('; ')}`);
  });

  it('are compared but for those that a decision excludes', () => {
    expect(Object.fromEntries([...byDeviation].map(([reason, examples]) => [reason, examples.length]))).toEqual({
      compared: 571,
      'tags are text': 72,
      'a scheme that is never opened': 4,
      'addresses are links without brackets too': 4,
      'formulas are drawn': 1,
    });
  });

  it('are drawn as the specification says', { timeout: 120_000 }, async () => {
    expect(await findDifferences(of(COMPARED), ({ html }) => html)).toEqual([]);
  });

  it('show tags as text', async () => {
    expect(await findDifferences(of('tags are text'), ({ markdown }) => htmlWithTagsAsText(markdown))).toEqual([]);
  });

  it('keep an address that is never opened as it is written', async () => {
    for (const { markdown } of of('a scheme that is never opened')) {
      const root = await draw(markdown);
      expect(root.querySelector('a')).toBeNull();
      expect(root.textContent.trim()).toBe(markdown.trim());
    }
  });

  it('link bare addresses', async () => {
    for (const { markdown } of of('addresses are links without brackets too'))
      expect((await draw(markdown)).querySelector('a'), markdown).not.toBeNull();
  });
});
