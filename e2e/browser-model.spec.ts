import { expect, test } from './support/app';

const PAGE = '/#/settings/models';

test('a browser whose class is there but has no model says so', async ({ app }) => {
  await app.open();
  await app.page.goto(PAGE);
  await expect(app.page.getByText('This browser offers none.')).toBeVisible();
});

test.describe('with a model', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      class LanguageModel {
        readonly #history: readonly { readonly role: string; readonly content: string }[];

        constructor(history: readonly { readonly role: string; readonly content: string }[]) {
          this.#history = history;
        }

        static async availability(): Promise<string> {
          return localStorage.getItem('has-model') === null ? 'downloadable' : 'available';
        }

        static async create(options: {
          readonly initialPrompts?: readonly { readonly role: string; readonly content: string }[];
          readonly monitor?: (monitor: EventTarget) => void;
        }): Promise<LanguageModel> {
          const monitor = new EventTarget();
          options.monitor?.(monitor);
          for (const loaded of options.monitor === undefined ? [] : [0.2, 0.7, 1]) {
            monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded }));
            await new Promise((resolve) => setTimeout(resolve, 300));
          }
          localStorage.setItem('has-model', 'yes');
          return new LanguageModel(options.initialPrompts ?? []);
        }

        promptStreaming(text: string, { signal }: { readonly signal: AbortSignal }): ReadableStream<string> {
          const turns = this.#history.filter(({ role }) => role !== 'system').length;
          const words = text.endsWith('forever')
            ? Array.from({ length: 500 }, (_, index) => ` word${index}`)
            : ['Built', ' in', `, after ${turns} turns.`];
          return new ReadableStream<string>({
            async pull(out) {
              await new Promise((resolve) => setTimeout(resolve, 20));
              const word = words.shift();
              if (signal.aborted) out.error(new DOMException('stopped', 'AbortError'));
              else if (word === undefined) out.close();
              else out.enqueue(word);
            },
          });
        }

        destroy(): void {}
      }
      Object.assign(window, { LanguageModel });
    });
  });

  test('it is set up by a click, answers with the whole conversation, is stopped, and is removed', async ({ app, page }) => {
    await app.open();
    await page.goto(PAGE);
    await page.getByRole('button', { name: 'Set up' }).click();
    await expect(page.getByText(/getting its model ready… 70/)).toBeVisible();
    await expect(page.getByText('Used for new chats')).toBeVisible();
    await page.goto('/#/');
    await app.ask('Hello');
    await expect(app.message(-1)).toContainText('Built in, after 0 turns.');
    await app.ask('And again');
    await expect(app.message(-1)).toContainText('Built in, after 2 turns.');
    await app.send('Talk forever');
    await expect(app.message(-1)).toContainText('word3');
    await app.stop.click();
    await app.atRest();
    await expect(app.message(-1)).toHaveAttribute('data-status', 'interrupted');
    await page.reload();
    await app.ask('Hello');
    await expect(app.message(-1)).toContainText('Built in, after');
    await page.goto(PAGE);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible();
  });
});
