import { beforeAll, expect, test } from 'vitest';
import type { JackdawDatabase } from '../../src/storage/db';
import { loadAnswering } from '../../src/worker/load-answering';
import { freshDatabase } from '../support/generation';
import { seeded } from '../support/random';
import { runInterleaving, type Outcome } from '../support/tabs/interleaving';

const COUNT = Number(process.env['INTERLEAVINGS'] ?? 300);
/** Of the first one; each has its own, and can be repeated alone. */
const SEED = Number(process.env['INTERLEAVING_SEED'] ?? 20261130);
/** A database grows slow with thousands of conversations. */
const DATABASE_RUNS = 100;
const MS_EACH = 1000;
/** Enough to see what they have in common. */
const MAX_FAILURES = 5;

// A file that is read from the disk comes when it likes.
beforeAll(async () => void (await loadAnswering()));

test(
  `${COUNT} random interleavings of three tabs lose nothing, leave nothing open and end with all tabs agreed`,
  {
    timeout: 20_000 + COUNT * MS_EACH,
  },
  async () => {
    const startedAt = performance.now();
    const failures: string[] = [];
    const done = new Map<string, number>();
    let database: JackdawDatabase | undefined;
    for (let index = 0; index < COUNT && failures.length < MAX_FAILURES; index++) {
      if (database === undefined || index % DATABASE_RUNS === 0) database = await freshDatabase();
      const seed = SEED + index;
      const outcome = await runInterleaving(database, { serial: index % DATABASE_RUNS, random: seeded(seed) });
      for (const [action, count] of outcome.actions) done.set(action, (done.get(action) ?? 0) + count);
      if (outcome.violations.length > 0) {
        failures.push(describeFailure(seed, outcome));
        database = undefined;
      }
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const actions = [...done].map(([action, count]) => `${action} ${count}`).join(', ');
    console.log(`${COUNT} interleavings from seed ${SEED} in ${seconds} s (${actions}): ${failures.length} broken`);
    expect(failures.join('\n')).toBe('');
  },
);

function describeFailure(seed: number, { violations, log }: Outcome): string {
  return [
    `seed ${seed} (repeat it with INTERLEAVINGS=1 INTERLEAVING_SEED=${seed}):`,
    ...violations.map((violation) => `  ${violation}`),
    `  after: ${log.join(' · ')}`,
  ].join('\n');
}
