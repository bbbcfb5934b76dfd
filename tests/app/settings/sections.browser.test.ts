import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import SettingsPage from '../../../src/app/settings/SettingsPage.svelte';
import type { SettingsSection } from '../../../src/app/state/route';
import { appendLedger } from '../../../src/storage/ledger';
import { readSettings } from '../../../src/storage/settings';
import { createFakeApp, type FakeApp } from '../chat/fake-app';
import Harness from '../ui/Harness.svelte';

let app: FakeApp;

async function open(section: SettingsSection, item: string | null = null): Promise<void> {
  await render(Harness, { app, component: SettingsPage, given: { section, item, initialTexts: await app.texts.current.loadSettings() } });
}

beforeEach(async () => {
  sessionStorage.clear();
  app = await createFakeApp();
});

test('theme and text size take effect at once and are stored', async () => {
  await open('appearance');
  await page.getByRole('combobox', { name: 'Theme' }).selectOptions('Dark');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  await page.getByRole('combobox', { name: 'Text size' }).selectOptions('Large');
  expect(document.documentElement.dataset['textSize']).toBe('large');
  await expect.poll(async () => readSettings(app.database)).toMatchObject({ theme: 'dark', textSize: 'large' });
  // The copy for the next first paint.
  expect(sessionStorage.getItem('jackdaw:theme')).toBe('dark');
});

test('the search finds fields by name and leads to them', async () => {
  await open('appearance');
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('offline');
  const link = page.getByRole('link', { name: 'Offline lock', exact: false });
  await expect.element(link).toHaveAttribute('href', '#/settings/privacy/offline-lock');
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('qqqq');
  await expect.element(page.getByText('No setting matches “qqqq”. Try another word.')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
});

test('a link to a field gives it the focus', async () => {
  await open('privacy', 'offline-lock');
  await expect.element(page.getByRole('switch', { name: 'Offline lock' })).toHaveFocus();
});

test('the offline lock is a switch that keeps what was chosen', async () => {
  await open('privacy');
  await page.getByRole('switch', { name: 'Offline lock' }).click();
  await expect.element(page.getByRole('switch', { name: 'Offline lock' })).toBeChecked();
  await expect.poll(async () => readSettings(app.database)).toMatchObject({ offlineLock: true });
});

test('the ledger shows every request, newest first, with what became of it', async () => {
  const entry = { at: Date.now(), method: 'POST', sentBytes: 1500, receivedBytes: 0, durationMs: 90 };
  await appendLedger(app.database, { ...entry, purpose: 'model', origin: 'https://one.example', outcome: 'answered', status: 200 });
  await appendLedger(app.database, { ...entry, purpose: 'connection-test', origin: 'http://localhost:1', outcome: 'refused', status: 0 });
  await open('privacy');
  const rows = page.getByRole('row');
  await expect.element(rows.nth(1)).toHaveTextContent(/now\s*Connection test\s*http:\/\/localhost:1\s*Refused/);
  await expect.element(rows.nth(2)).toHaveTextContent(/Answer\s*https:\/\/one\.example\s*Answered \(200\)\s*1\.5 kB\s*0 bytes\s*90 ms/);
});

test('an empty ledger says so', async () => {
  await open('privacy');
  await expect.element(page.getByText('Nothing has left this device yet.')).toBeVisible();
});

test('an export without keys does not warn, one with keys does', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  app.engine.handlers.export = async () => Promise.resolve(new Blob(['{}\n']));
  await open('data');
  expect(page.getByRole('alert').query()).toBeNull();
  await page.getByRole('button', { name: 'Export everything' }).click();
  await expect.poll(() => saved).toEqual([expect.stringMatching(/^jackdaw-\d{4}-\d\d-\d\d\.jsonl$/)]);
  await page.getByRole('switch', { name: 'Include keys' }).click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('readable form');
  await page.getByRole('button', { name: 'Export everything' }).click();
  await expect.poll(() => app.engine.callsOf('export')).toEqual([{ includeKeys: false }, { includeKeys: true }]);
  vi.restoreAllMocks();
});

test('an import reports what came in and what could not be read', async () => {
  app.engine.handlers.import = async () =>
    Promise.resolve({ conversations: 2, nodes: 1, files: 0, accounts: 1, unchanged: 4, skipped: [{ line: 7, reason: 'damaged' }] });
  await open('data');
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type="file"]') ?? document.body, new File(['x'], 'copy.jsonl'));
  await expect.element(page.getByText('2 conversations · 1 message · 0 files · 1 account')).toBeVisible();
  await expect.element(page.getByText('4 entries were here already')).toBeVisible();
  await page.getByText('1 line could not be read').click();
  await expect.element(page.getByText('Line 7: damaged')).toBeVisible();
});

test.each<SettingsSection>(['accounts', 'appearance', 'chat', 'privacy', 'data', 'about'])(
  '%s has one heading of its own',
  async (section) => {
    app.engine.handlers.catalog = async () => Promise.resolve({ tools: [], providers: [], presets: [] });
    await open(section);
    expect(page.getByRole('heading', { level: 2 }).elements()).toHaveLength(1);
  },
);
