import { expect, test } from 'vitest';
import { freshDatabase } from '../support/generation';
import { seeded } from '../support/random';
import { runInterleaving } from '../support/tabs/interleaving';

const COUNT = Number(process.env['INTERLEAVINGS'] ?? 300);
const SEED = Number(process.env['INTERLEAVING_SEED'] ?? 1);

test(`${COUNT} random interleavings`, { timeout: 600_000 }, async () => {
  const database = await freshDatabase();
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let bad = 0;
  for (let index = 0; index < COUNT; index++) {
    const seed = SEED + index;
    const { violations, log } = await runInterleaving(database, { serial: index, random: seeded(seed) });
    if (violations.length > 0) {
      bad++;
      console.log(`seed ${seed}:\n  ${violations.join('\n  ')}\n  -- ${log.join(' | ')}`);
      await database.runs.clear();
      if (bad > 10) break;
    }
  }
  console.log(((performance.now() - startedAt) / COUNT).toFixed(1), 'ms each', (process.cpuUsage(cpu).user / 1000 / COUNT).toFixed(1), 'ms cpu', bad, 'bad');
  expect(bad).toBe(0);
});
