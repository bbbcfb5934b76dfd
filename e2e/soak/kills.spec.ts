import { test } from '../support/app';
import { MOMENT_NAMES } from '../support/kill-moments';
import { runKills } from '../support/kills';

const COUNT = Number(process.env['SOAK_COUNT'] ?? 50);
const SEED = Number(process.env['SOAK_SEED'] ?? 20261130);

test(`${COUNT} kills of workers and tabs at random moments lose no message and at most a second of an answer`, async ({ app }) => {
  test.setTimeout(COUNT * 30_000);
  await runKills(app, { count: COUNT, seed: SEED, names: MOMENT_NAMES });
});
