import { seeded, between } from '../../tests/support/random';
import { expect, type App } from './app';

// What was on the screen this long before the kill has to be there afterwards. A save may start a second after its text arrived.
const MAX_LOSS_MS = 1000;

/** Ends the generation worker as a crash would: from inside, without a word. */
async function killWorker(app: App): Promise<void> {
  const workers = app.page.workers();
  const generation = workers.find((worker) => worker.url().includes('generation'));
  if (generation === undefined) throw new Error('no generation worker');
  await generation.evaluate(() => {
    self.close();
  });
}

/**
 * Kills the worker `count` times while an answer streams, at seeded moments, and looks at what is left: every message of the user, all
 * of the answer but its last second, no spinner, and a next send that works. Stops at the first loss.
 */
export async function runKills(app: App, { count, seed }: { count: number; seed: number }): Promise<{ survived: number; report: string }> {
  const random = seeded(seed);
  await app.open();
  await app.connect();
  let survived = 0;
  let worst = 0;
  for (let round = 0; round < count; round++) {
    // About 230 words a second.
    const lastWord = between(random, 5, 800);
    const words = Array.from({ length: 2000 }, (_, index) => `w${round}x${index}`).join(' ');
    app.server.enqueue({ type: 'text', text: words, deltaSize: 8, tokensPerSecond: 200 });
    const question = `Question number ${round}`;
    await app.send(question);
    const answer = app.message(-1);
    await expect(answer).toContainText(`w${round}x${lastWord}`);
    const before = await lengthOf(answer, round);
    await killWorker(app);
    await expect(answer).toHaveAttribute('data-status', 'interrupted', { timeout: 15_000 });
    await app.atRest();
    const after = await lengthOf(answer, round);
    await expect(app.message(-2)).toContainText(question);
    // 200 deltas of 8 characters a second.
    const lostMs = ((before - after) / (200 * 8)) * 1000;
    worst = Math.max(worst, lostMs);
    if (lostMs > MAX_LOSS_MS) break;
    survived += 1;
  }
  return { survived, report: `kills ${survived}/${count}, seed ${seed}, worst loss ${Math.round(worst)} ms` };
}

/** Characters of this round's words on the screen. */
async function lengthOf(answer: ReturnType<App['message']>, round: number): Promise<number> {
  const text = (await answer.textContent()) ?? '';
  return (text.match(new RegExp(`w${round}x\\d+`, 'g')) ?? []).join(' ').length;
}
