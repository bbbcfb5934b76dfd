import AxeBuilder from '@axe-core/playwright';
import { expect, test as base, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { startReplayServer, type ReplayServer } from './replay-server';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The app as a person uses it: by what is written on the screen. */
export class App {
  readonly page: Page;
  readonly server: ReplayServer;
  readonly #origin: string;

  /** `origin` only where the page's browser has no address to start from. */
  constructor(page: Page, server: ReplayServer, origin = '') {
    this.page = page;
    this.server = server;
    this.#origin = origin;
  }

  get composer(): Locator {
    return this.page.locator('[data-bench="composer"]');
  }

  get thread(): Locator {
    return this.page
      .getByRole('region', { name: 'Conversation', exact: true })
      .or(this.page.getByRole('log', { name: 'Conversation', exact: true }));
  }

  /** Message number `index` of the branch that is shown, from 0; negative from the end. Of a long one only those around what is seen are there. */
  message(index: number): Locator {
    const place = index < 0 ? `@aria-setsize + ${index + 1}` : `${index + 1}`;
    return this.page.locator(`xpath=//*[@data-node and @aria-posinset = ${place}]`);
  }

  /** Waits until the branch that is shown has so many messages. */
  async hasMessages(count: number): Promise<void> {
    await expect(this.page.locator('[data-node]').last()).toHaveAttribute('aria-setsize', String(count));
  }

  get stop(): Locator {
    return this.page.getByRole('button', { name: /^Stop/ });
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(this.#origin + path);
    await expect(this.composer).toBeVisible();
  }

  /** Connects to the replay server as the settings page does it, and makes its model the one of new chats. */
  async connect(address: string = this.server.url, key = 'sk-test-0123456789'): Promise<void> {
    const { page } = this;
    await page.goto(`${this.#origin}/#/settings/accounts/new:custom`);
    await page.getByLabel('Name', { exact: true }).fill('Replay');
    await page.getByLabel('Address', { exact: true }).fill(address);
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByRole('button', { name: 'Use replay-model for new chats' }).click();
    await expect(page.getByText('Used for new chats').first()).toBeVisible();
    await page.goto(`${this.#origin}/#/`);
    await expect(this.composer).toBeVisible();
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press('Enter');
    await expect(this.composer).toHaveValue('');
  }

  /** Sends and waits until the answer to it is at rest. */
  async ask(text: string): Promise<void> {
    const last = this.page.locator('[data-node]').last();
    const isOpen = new URL(this.page.url()).hash.startsWith('#/c/');
    const before = isOpen ? Number(await last.getAttribute('aria-setsize')) : 0;
    await this.send(text);
    await this.hasMessages(before + 2);
    await this.atRest();
  }

  /** Nothing runs: the send button is back and no message is being written. */
  async atRest(): Promise<void> {
    await expect(this.stop).toHaveCount(0);
    await expect(this.page.locator('[data-node][data-status="running"]')).toHaveCount(0);
  }

  /** Waits until a running answer is on disk up to `text`: what a kill from now on can't take away. */
  async savedUpTo(text: string): Promise<void> {
    await expect.poll(() => this.page.evaluate(readRuns)).toContain(text);
  }

  /** No accessibility violation in what is on the screen now. */
  async accessible(): Promise<void> {
    const { violations } = await new AxeBuilder({ page: this.page }).withTags(AXE_TAGS).analyze();
    expect(violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  }
}

/** Every row of running answers, as text. */
async function readRuns(): Promise<string> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('jackdaw');
    request.onsuccess = () => resolve(request.result);
  });
  const rows = await new Promise<unknown[]>((resolve) => {
    const request = database.transaction('runs').objectStore('runs').getAll();
    request.onsuccess = () => resolve(request.result);
  });
  database.close();
  return JSON.stringify(rows);
}

interface Fixtures {
  server: ReplayServer;
  app: App;
}

/** Every test gets its own browser profile, a replay server, and fails on anything that the page complains about. */
export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const server = await startReplayServer();
    await use(server);
    await server.close();
  },
  app: async ({ page, server }, use) => {
    const faults = listenForFaults(page.context());
    await use(new App(page, server));
    expect(faults).toEqual([]);
  },
});

/** Uncaught errors of any page. What the network refuses is the app's to tell, and the browser's to log. */
function listenForFaults(context: BrowserContext): string[] {
  const faults: string[] = [];
  const listen = (page: Page): void => {
    page.on('pageerror', (error) => faults.push(error.message));
  };
  context.pages().forEach(listen);
  context.on('page', listen);
  return faults;
}

export { expect } from '@playwright/test';
