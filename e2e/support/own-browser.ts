import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/browser.mjs';

/** A browser as the user has one: its profile outlives it, it can be killed, and nothing keeps its pages awake. */
export interface OwnBrowser {
  /** The first page; there are more with `newPage`. */
  readonly page: Page;
  newPage(): Promise<Page>;
  /** Ends it from one moment to the next, as the system does, or a flat battery. */
  kill(): Promise<void>;
}

/** A folder for a profile, and its removal. */
export async function createProfile(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'jackdaw-profile-'));
  // A killed browser's children may still be writing.
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

/** Starts the browser on a profile. It is not Playwright's own: that one is told to treat every page as if it were looked at. `more` are flags for Chromium. */
export async function startOwnBrowser(profile: string, more: readonly string[] = []): Promise<OwnBrowser> {
  const command = findChromium() ?? chromium.executablePath();
  const flags = [...CHROMIUM_FLAGS, ...more, '--headless', '--lang=en-US', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(command, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const browser = await chromium.connectOverCDP(await addressOf(child), { noDefaults: true });
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error('The browser has no context.');
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    newPage: () => context.newPage(),
    kill: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** Chromium says on its error stream where it can be reached. The stream is read to its end, or the browser would wait for a reader. */
function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (piece) => {
      said += String(piece);
      const found = /ws:\/\/\S+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The browser did not start: ${said}`)));
  });
}
