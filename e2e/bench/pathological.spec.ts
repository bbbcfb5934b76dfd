import { test } from '../support/app';
import { openBench, openStored, streamText } from '../support/pathological-run';
import { PATHOLOGICAL_TEXTS } from '../../tests/support/pathological-texts';
import { recordMainThread } from '../support/main-thread';
import { report } from './measure';

const LONGEST_WAIT_MS = 60_000;

for (const subject of PATHOLOGICAL_TEXTS) {
  test(`pathological: ${subject.name}`, async ({ app, page }) => {
    await openBench(app);
    let startedAt = Date.now();
    let end = await recordMainThread(page);
    const figures = async (act: () => Promise<readonly string[]>): Promise<string> => {
      // A text that is not drawn in full still has a longest task, which may tell why.
      const missing = await act();
      const tookMs = Date.now() - startedAt;
      const { longestTaskMs, longestWallMs, parts } = await end();
      const fault = missing.length > 0 ? `, NOT DRAWN IN FULL: ${missing.join(', ')}` : '';
      return `${tookMs} ms, longest task ${longestTaskMs} ms (by the clock ${longestWallMs}; ${parts.join(', ')})${fault}`;
    };
    const streamed = await figures(() => streamText(app, subject, LONGEST_WAIT_MS));
    const opened = await figures(() =>
      openStored(app, subject, LONGEST_WAIT_MS, async () => {
        end = await recordMainThread(page);
        startedAt = Date.now();
      }),
    );
    report(subject.name, { '\n  streamed': streamed, '\n  opened': opened });
  });
}
