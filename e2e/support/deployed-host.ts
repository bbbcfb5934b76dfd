import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { serve } from '../../scripts/server.mjs';
import { expect } from './app';

/** A host of its own on which builds are deployed one after the other. */
export interface DeployedHost {
  readonly url: string;
  /**
   * Puts another build in the place of the present one, as real deployments do: every hashed file has another name, and the old ones are gone. The
   * page says which build it is: `<html data-build="…">`. With `isSchemaNewer` its database is one version further.
   */
  deploy(name: string, options?: { readonly isSchemaNewer?: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** Starts with the build in `dist`. */
export async function startDeployedHost(): Promise<DeployedHost> {
  const folder = await mkdtemp(join(tmpdir(), 'jackdaw-host-'));
  await cp('dist', folder, { recursive: true });
  const host = await serve({ folder, port: 0 });
  return {
    url: host.url,
    deploy: async (name, { isSchemaNewer = false } = {}) => {
      await renameAssets(folder, name);
      await changeText(join(folder, 'index.html'), /<html lang="en"(?: data-build="[^"]*")?/, `<html lang="en" data-build="${name}"`);
      await changeText(
        join(folder, 'service-worker.js'),
        /"revision":"\w+","url":"index\.html"/,
        `"revision":"${name}","url":"index.html"`,
      );
      if (isSchemaNewer) await raiseSchema(join(folder, 'assets'));
    },
    close: async () => {
      await host.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The browser looks for a new version, as it does at a navigation. */
export async function lookForUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });
}

/** The page runs under the service worker, with everything kept that a build has. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

/** What the browser keeps besides the service worker's caches would hide that a file is gone. */
export async function forgetHttpCache(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.clearBrowserCache');
  await client.detach();
}

async function renameAssets(folder: string, build: string): Promise<void> {
  const names = await readdir(join(folder, 'assets'));
  const renamed = new Map(names.map((name) => [name, name.replace(/(?:\.[a-z]+)?(\.\w+)$/, `.${build}$1`)]));
  for (const [before, after] of renamed) await rename(join(folder, 'assets', before), join(folder, 'assets', after));
  const known = new RegExp(`(?<![\\w.-])(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})(?![\\w-])`, 'g');
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:js|css|html)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replace(known, (name) => renamed.get(name) ?? name),
    );
  }
}

/** One more step at the end of the migrations, in page and worker. */
async function raiseSchema(assets: string): Promise<void> {
  // The end of the list, whatever stands there.
  const last = /\{version:(\d+),stores:\{[^{}]*\}\}(?=\])/;
  let changed = 0;
  for (const name of await readdir(assets)) {
    if (!name.endsWith('.js') || !last.test(await readFile(join(assets, name), 'utf8'))) continue;
    await changeText(join(assets, name), last, '$&,{version:$1+1,stores:{blobs:"hash, [createdAt+sizeBytes], mimeType"}}');
    changed += 1;
  }
  expect(changed, 'page and worker have the migrations').toBe(2);
}

async function changeText(path: string, from: RegExp, to: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(from);
  await writeFile(path, text.replace(from, to));
}
