import { expect, test } from '../support/app';
import { runKills } from '../support/kills';

const COUNT = Number(process.env['SOAK_COUNT'] ?? 50);
const SEED = Number(process.env['SOAK_SEED'] ?? 20261130);

test(`${COUNT} kills of the worker in mid-answer lose no message and at most a second`, async ({ app }) => {
  test.setTimeout(COUNT * 30_000);
  const { survived, report } = await runKills(app, { count: COUNT, seed: SEED });
  process.stdout.write(`${report}\n`);
  expect(survived).toBe(COUNT);
});
