import { App, expect, test } from './support/app';
import { MOMENT_NAMES } from './support/kill-moments';
import { killAt, runKills, tabOf, workerOf, type Victim } from './support/kills';
import { createProfile, startOwnBrowser } from './support/own-browser';

const SAMPLE = 3;

/** What a browser has in hand besides runs is in one transaction each, like an import; a second and a third would only take their time. */
const BROWSER_MOMENTS = MOMENT_NAMES.filter((name) => name !== 'editing' && name !== 'regenerating');

/** Kills at every moment, one after the other, in one conversation. */
async function killEverywhere(first: App, victimOf: (app: App) => Victim, names = MOMENT_NAMES): Promise<void> {
  let app = first;
  await app.open();
  await app.connect();
  await app.ask('The first question');
  for (const [round, name] of names.entries()) {
    await test.step(name, async () => {
      app = await killAt(name, victimOf(app), round);
    });
  }
}

test.describe('killed at every moment, nothing is lost and everything goes on:', () => {
  test.describe.configure({ timeout: 60_000 });

  test('the worker', async ({ app }) => {
    await killEverywhere(app, workerOf);
  });

  test('the tab', async ({ app }) => {
    await killEverywhere(app, tabOf);
  });

  test('the browser', async ({ server, baseURL }) => {
    const origin = new URL(baseURL ?? '').origin;
    const profile = await createProfile();
    let browser = await startOwnBrowser(profile.folder);
    const browserOf = (app: App): Victim => ({
      app,
      fate: 'stands still',
      end: async () => {
        const address = app.page.url();
        await browser.kill();
        browser = await startOwnBrowser(profile.folder);
        const next = new App(browser.page, server, origin);
        await next.page.goto(address);
        await expect(next.page.locator('main')).toBeVisible();
        return next;
      },
    });
    try {
      await killEverywhere(new App(browser.page, server, origin), browserOf, BROWSER_MOMENTS);
    } finally {
      await browser.kill();
      await profile.remove();
    }
  });
});

/** A small sample of the long run (`npm run soak`), with another seed each day so that every moment gets its turn. */
test('killed at random, no message is lost and at most a second of the answer', async ({ app }) => {
  test.setTimeout(SAMPLE * 30_000);
  const seed = Number(process.env['SOAK_SEED'] ?? Math.floor(Date.now() / 86_400_000));
  await runKills(app, { count: SAMPLE, seed, names: ['streaming'] });
});
