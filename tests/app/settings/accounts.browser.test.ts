import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import SettingsPage from '../../../src/app/settings/SettingsPage.svelte';
import type { Account } from '../../../src/core/account';
import { PRESETS } from '../../../src/providers/presets';
import { listAccounts, readKey, saveAccount } from '../../../src/storage/accounts';
import { createFakeApp, stamp, type FakeApp } from '../chat/fake-app';
import Harness from '../ui/Harness.svelte';

const ACCOUNT: Account = {
  id: 'account-1',
  provider: 'openai-chat',
  preset: 'ollama',
  name: 'My Ollama',
  baseUrl: 'http://localhost:11434/v1',
  hasKey: false,
  streaming: true,
  reasoning: 'auto',
  sampling: { temperature: 0.5 },
  headers: [],
  body: { top_k: 5 },
  overrides: { tiny: { vision: true, reasoning: true } },
};
const MODEL = { id: 'tiny', name: 'Tiny', capabilities: { vision: false, tools: true, reasoning: false, contextTokens: 8192 } };

let app: FakeApp;

async function open(item: string | null): Promise<void> {
  app.router.go({ name: 'settings', section: 'accounts', item });
  await render(Harness, {
    app,
    component: SettingsPage,
    given: { section: 'accounts' as const, item, initialTexts: await app.texts.current.loadSettings() },
  });
}

const field = (name: string) => page.getByRole('textbox', { name, exact: true });

beforeEach(async () => {
  app = await createFakeApp();
  app.engine.handlers.catalog = async () => Promise.resolve({ tools: [], providers: [], presets: PRESETS });
});

test('presets are offered in two groups', async () => {
  await open(null);
  await expect.element(page.getByText('No accounts yet')).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'On this machine' }).getByRole('link', { name: 'Ollama' })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Services' }).getByRole('link', { name: 'OpenAI', exact: true })).toBeVisible();
});

test('a new account is stored with its key apart', async () => {
  await open('new:openai');
  await page.getByLabelText('Key', { exact: true }).fill('sk-secret-key-123');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('OpenAI saved')).toBeVisible();
  const [account] = await listAccounts(app.database);
  expect(account).toMatchObject({ name: 'OpenAI', preset: 'openai', baseUrl: 'https://api.openai.com/v1', hasKey: true, streaming: true });
  expect(JSON.stringify(account)).not.toContain('sk-secret');
  expect(await readKey(app.database, account?.id ?? '')).toBe('sk-secret-key-123');
});

test('the key is hidden until it is shown', async () => {
  await open('new:openai');
  const key = page.getByLabelText('Key', { exact: true });
  await expect.element(key).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show key' }).click();
  await expect.element(key).toHaveAttribute('type', 'text');
});

test('what can’t be taken is marked, gets the focus and is not stored', async () => {
  await open('new:custom');
  await field('Address').fill('example');
  await page.getByText('More settings').click();
  await field('Extra body entries (JSON)').fill('{"a": }');
  await field('Temperature').fill('9');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Enter a full address that begins with https:// or http://.')).toBeVisible();
  await expect.element(page.getByText('This is not valid JSON', { exact: false })).toBeVisible();
  await expect.element(page.getByText('Enter a number from 0 to 2.')).toBeVisible();
  await expect.element(field('Address')).toHaveFocus();
  expect(await listAccounts(app.database)).toEqual([]);
});

test('saving an account without touching it changes nothing', async () => {
  await saveAccount(app.database, ACCOUNT, 'old-secret-key', stamp());
  const before = await listAccounts(app.database);
  await open(ACCOUNT.id);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('My Ollama saved')).toBeVisible();
  expect(await listAccounts(app.database)).toEqual(before);
  expect(await readKey(app.database, ACCOUNT.id)).toBe('old-secret-key');
});

test('the stored key can be removed', async () => {
  await saveAccount(app.database, ACCOUNT, 'old-secret-key', stamp());
  await open(ACCOUNT.id);
  await page.getByRole('button', { name: 'Remove the stored key' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => readKey(app.database, ACCOUNT.id)).toBeNull();
});

test('a test that succeeds lists models, and one of them can be used for new chats', async () => {
  app.engine.handlers['test-connection'] = async () => Promise.resolve({ ok: true, models: [MODEL], durationMs: 120 });
  await open('new:ollama');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect.element(page.getByText('Connected: 1 model, answered in 120 ms.')).toBeVisible();
  await page.getByRole('button', { name: 'Use Tiny for new chats' }).click();
  await expect.element(page.getByText('Used for new chats')).toBeVisible();
  const [account] = await listAccounts(app.database);
  expect(app.settings.current.defaultModel).toEqual({ accountId: account?.id, modelId: 'tiny' });
  expect(app.router.current).toEqual({ name: 'settings', section: 'accounts', item: account?.id });
});

test('a test that fails names one cause, one step and the exact command', async () => {
  const error = { code: 'origin-blocked' as const, retryable: false, details: { host: 'localhost:11434' } };
  app.engine.handlers['test-connection'] = async () => Promise.resolve({ ok: false, models: [], error, durationMs: 5 });
  await saveAccount(app.database, ACCOUNT, undefined, stamp());
  await open(ACCOUNT.id);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect.element(page.getByText('localhost:11434 is running, but it does not let this page in.')).toBeVisible();
  const command = page.getByRole('code').first();
  await expect.element(command).toHaveTextContent('OLLAMA_ORIGINS');
  await expect.element(command).toHaveTextContent(location.origin);
  expect(app.engine.callsOf('test-connection')).toEqual([{ account: { ...ACCOUNT }, key: null }]);
});

test('deleting asks first and takes the default with it', async () => {
  await saveAccount(app.database, ACCOUNT, undefined, stamp());
  await app.settings.set('defaultModel', { accountId: ACCOUNT.id, modelId: 'tiny' });
  await open(ACCOUNT.id);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Delete My Ollama?' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(await listAccounts(app.database)).toHaveLength(1);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await expect.poll(async () => listAccounts(app.database)).toEqual([]);
  expect(app.settings.current.defaultModel).toBeNull();
});

test('the service’s own web search is offered for services only', async () => {
  await open('new:openai');
  await page.getByRole('switch', { name: 'Web search by the service' }).click();
  await expect.element(page.getByRole('switch', { name: 'Let the provider keep answers' })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await listAccounts(app.database))[0]).toMatchObject({ hostedSearch: true });
  expect((await listAccounts(app.database))[0]).not.toHaveProperty('store');
});

test('a server of one’s own has no web search of a service', async () => {
  await saveAccount(app.database, ACCOUNT, undefined, stamp());
  await open(ACCOUNT.id);
  await expect.element(page.getByRole('switch', { name: 'Stream answers' })).toBeVisible();
  await expect.element(page.getByRole('switch', { name: 'Web search by the service' })).not.toBeInTheDocument();
});

test('keeping answers at the provider is a choice of the one protocol that has it, off at first', async () => {
  const account: Account = { ...ACCOUNT, provider: 'openai-responses', preset: 'none', baseUrl: 'https://api.example/v1' };
  await saveAccount(app.database, account, undefined, stamp());
  await open(ACCOUNT.id);
  const store = page.getByRole('switch', { name: 'Let the provider keep answers' });
  await expect.element(store).not.toBeChecked();
  await store.click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await listAccounts(app.database))[0]).toMatchObject({ store: true });
});

test('every ability of a model can be said by hand', async () => {
  await saveAccount(app.database, ACCOUNT, undefined, stamp());
  await open(ACCOUNT.id);
  await page.getByText('More settings').click();
  for (const name of ['Reads PDFs', 'Hears sound', 'Searches the web']) await page.getByLabelText(name).selectOptions('Yes');
  await page.getByLabelText('Reads images').selectOptions('No');
  await page.getByLabelText('Thinks before it answers').selectOptions('As reported');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await listAccounts(app.database))[0]?.overrides)
    .toEqual({
      tiny: { vision: false, documents: true, audio: true, hostedSearch: true },
    });
});
