import type { Page } from '@playwright/test';
import { expect, type App } from './app';
import { backupOf } from './backups';
import { createHold } from './replay-server';

interface Circumstances {
  readonly question: string;
  readonly fate: 'dies' | 'stands still';
}

interface Reached {
  /** The worker was stopped by a trap of its own. */
  readonly isTrapped: boolean;
  /** Says what must be true once everything is up again, and goes on from there. */
  after(app: App): Promise<void>;
}

/** Brings the app to a moment in which it may be killed. */
type Moment = (app: App, circumstances: Circumstances) => Promise<Reached>;

const FIRST_HALF = 'The first half';

/** All of a run's phases, and the writes that a user asks for beside it. */
export const moments = {
  /** Message and run are on disk, and nothing has been done about them yet. */
  preparing: async (app, { question, fate }) => {
    const trapped = await setTrap(app.page, { store: 'runs', when: 'committed', fate });
    await app.composer.fill(question);
    await app.composer.press('Enter');
    await trapped.sprung;
    return { isTrapped: true, after: (next) => triesAgain(next, question) };
  },
  /** The request is out, and no byte has come. */
  requesting: async (app, { question }) => {
    const hold = createHold();
    app.server.enqueue({ type: 'text', text: 'Nobody hears this.', holdBefore: hold });
    const before = app.server.requests.length;
    await app.send(question);
    // The page says so a moment earlier.
    await expect.poll(() => app.server.requests.length).toBe(before + 1);
    await expect(app.message(-1)).toContainText('Waiting for');
    return { isTrapped: false, after: (next) => triesAgain(next, question) };
  },
  /** The next try is half a minute away. */
  waiting: async (app, { question }) => {
    app.server.enqueue({
      type: 'error',
      status: 503,
      headers: { 'retry-after': '30' },
      body: { error: { message: 'Busy', type: 'server_error' } },
    });
    await app.send(question);
    await expect(app.message(-1)).toContainText('Trying again in');
    return { isTrapped: false, after: (next) => triesAgain(next, question) };
  },
  streaming: async (app, { question }) => {
    await streamHalf(app, question);
    return { isTrapped: false, after: (next) => continues(next, question) };
  },
  /** The whole answer is there, and its last write is nearly done. */
  finishing: async (app, { question, fate }) => {
    const hold = await streamHalf(app, question);
    const trapped = await setTrap(app.page, { store: 'outbox', when: 'written', fate });
    hold.release();
    await trapped.sprung;
    return { isTrapped: true, after: (next) => continues(next, question) };
  },
  /** Other words for a message are nearly written. */
  editing: async (app, { question, fate }) => {
    await answered(app, question);
    const edit = async (from: App): Promise<void> => {
      const message = from.message(-2);
      const form = message.getByRole('textbox');
      if ((await form.count()) === 0) await message.getByRole('button', { name: 'Edit' }).click();
      await form.fill(`${question}, in other words`);
      await form.press('Control+Enter');
    };
    const trapped = await setTrap(app.page, { store: 'outbox', when: 'written', fate });
    await edit(app);
    await trapped.sprung;
    return {
      isTrapped: true,
      after: async (next) => {
        await expect(next.message(-1)).toContainText(`Echo: ${question}`);
        await expect(next.message(-2)).not.toContainText('/2');
        // What was typed is still in the form where its page lived.
        if (fate === 'dies') await expect(next.message(-2).getByRole('textbox')).toHaveValue(`${question}, in other words`);
        await edit(next);
        await expect(next.message(-1)).toContainText(`Echo: ${question}, in other words`);
        await expect(next.message(-2)).toContainText('2/2');
        await next.atRest();
      },
    };
  },
  /** A second answer is nearly begun. */
  regenerating: async (app, { question, fate }) => {
    await answered(app, question);
    const regenerate = (from: App): Promise<void> =>
      from
        .message(-1)
        .getByRole('button', { name: /^Answer again/ })
        .click();
    const trapped = await setTrap(app.page, { store: 'outbox', when: 'written', fate });
    await regenerate(app);
    await trapped.sprung;
    return {
      isTrapped: true,
      after: async (next) => {
        await expect(next.message(-1)).toContainText(`Echo: ${question}`);
        await expect(next.message(-1)).not.toContainText('/2');
        await regenerate(next);
        await expect(next.message(-1)).toContainText('2/2');
        await next.atRest();
      },
    };
  },
  /** A backup is nearly brought in. */
  importing: async (app, { question, fate }) => {
    await answered(app, question);
    const conversation = new URL(app.page.url()).hash;
    const bringIn = async (from: App): Promise<void> => {
      await goTo(from.page, '#/settings/data');
      await from.page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'backup.jsonl', mimeType: 'application/jsonl', buffer: backupOf(question) });
    };
    const trapped = await setTrap(app.page, { store: 'outbox', when: 'written', fate });
    await bringIn(app);
    await trapped.sprung;
    return {
      isTrapped: true,
      after: async (next) => {
        await bringIn(next);
        await expect(next.page.getByText(/^1 conversation · /)).toBeVisible();
        await goTo(next.page, conversation);
        await expect(next.message(-1)).toContainText(`Echo: ${question}`);
      },
    };
  },
} as const satisfies Readonly<Record<string, Moment>>;

export type MomentName = keyof typeof moments;

export const MOMENT_NAMES: readonly MomentName[] = [
  'preparing',
  'requesting',
  'waiting',
  'streaming',
  'finishing',
  'editing',
  'regenerating',
  'importing',
];

/** Asks and waits for the answer, in a conversation that is too long for all of it to be on the page. */
async function answered(app: App, question: string): Promise<void> {
  await app.send(question);
  await expect(app.message(-2)).toContainText(question);
  await expect(app.message(-1)).toContainText(`Echo: ${question}`);
  await app.atRest();
}

/** Streams until half of the answer is on the screen and on disk. */
async function streamHalf(app: App, question: string): Promise<ReturnType<typeof createHold>> {
  const hold = createHold();
  app.server.enqueue({ type: 'text', text: `${FIRST_HALF} and the second half.`, deltaSize: 14, hold: { afterDeltas: 1, hold } });
  await app.send(question);
  await expect(app.message(-1)).toContainText(FIRST_HALF);
  await app.savedUpTo(FIRST_HALF);
  return hold;
}

async function interrupted(app: App, question: string): Promise<void> {
  await expect(app.message(-1)).toHaveAttribute('data-status', 'interrupted', { timeout: 15_000 });
  await expect(app.message(-2)).toContainText(question);
  await app.atRest();
  await expect(app.composer).toHaveValue('');
}

/** There is nothing to go on from: the answer is asked for again. */
async function triesAgain(app: App, question: string): Promise<void> {
  await interrupted(app, question);
  await app.message(-1).getByRole('button', { name: 'Try again' }).click();
  await expect(app.message(-1)).toContainText(`Echo: ${question}`);
  await app.atRest();
  await expect(app.message(-1)).toHaveAttribute('data-status', 'complete');
}

async function continues(app: App, question: string): Promise<void> {
  await interrupted(app, question);
  await expect(app.message(-1)).toContainText(FIRST_HALF);
  app.server.enqueue({ type: 'text', text: ' and what comes now.' });
  await app.message(-1).getByRole('button', { name: 'Continue' }).click();
  await expect(app.message(-1)).toContainText('and what comes now.');
  await app.atRest();
  await expect(app.message(-1)).toContainText(FIRST_HALF);
  await expect(app.message(-1)).toHaveAttribute('data-status', 'complete');
}

/** Another place of the open page. */
async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((next) => {
    location.hash = next;
  }, hash);
}

interface Trap {
  readonly store: string;
  /** `written`: in the transaction of the next write to the store, before it is committed. `committed`: right after that. */
  readonly when: 'written' | 'committed';
  readonly fate: Circumstances['fate'];
}

/** Stops the worker at its next write to a store: it ends, or stands still for ever. `sprung` resolves once that has happened. */
async function setTrap(page: Page, trap: Trap): Promise<{ readonly sprung: Promise<unknown> }> {
  const worker = page.workers().findLast((one) => one.url().includes('generation'));
  if (worker === undefined) throw new Error('no generation worker');
  await worker.evaluate(({ store, when, fate }) => {
    const spring = (): void => {
      console.info('trapped');
      if (fate === 'dies') self.close();
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
    for (const name of ['put', 'add'] as const) {
      const original = IDBObjectStore.prototype[name];
      Reflect.set(IDBObjectStore.prototype, name, function (this: IDBObjectStore, ...args: unknown[]): unknown {
        const request: unknown = Reflect.apply(original, this, args);
        if (this.name === store) {
          if (when === 'written') spring();
          else this.transaction.addEventListener('complete', spring);
        }
        return request;
      });
    }
  }, trap);
  return { sprung: page.waitForEvent('console', (message) => message.text() === 'trapped') };
}
