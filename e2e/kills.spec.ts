import { expect, test } from './support/app';
import { runKills } from './support/kills';

const SAMPLE = 5;

/** A small sample of the long run (`npm run soak`), with another seed each day so that every moment gets its turn. */
test('killed workers lose no message and at most a second of the answer', async ({ app }) => {
  test.setTimeout(SAMPLE * 30_000);
  const seed = Number(process.env['SOAK_SEED'] ?? Math.floor(Date.now() / 86_400_000));
  const { survived, report } = await runKills(app, { count: SAMPLE, seed });
  process.stdout.write(`${report}\n`);
  expect(survived).toBe(SAMPLE);
});
