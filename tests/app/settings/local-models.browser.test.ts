import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import SettingsPage from '../../../src/app/settings/SettingsPage.svelte';
import { AppError } from '../../../src/core/errors';
import type { LocalModelAction, LocalModelEntry, LocalModelsView } from '../../../src/core/local-model';
import { createFakeApp, type FakeApp } from '../chat/fake-app';
import { DEVICE, GPU_MODEL } from '../../support/local-host';
import Harness from '../ui/Harness.svelte';

const FITS = { fits: true, precision: null, isSlow: false } as const;

const ENTRY: LocalModelEntry = {
  model: {
    ...GPU_MODEL,
    id: 'm',
    name: 'Little Model',
    downloadBytes: 300e6,
    memoryBytes: 600e6,
    languages: ['en', 'de'],
    licence: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
  },
  status: { type: 'absent' },
  fit: FITS,
  tokensPerSecond: null,
  hasCrashed: false,
};

let app: FakeApp;
let asked: LocalModelAction[];
let view: LocalModelsView;

beforeEach(async () => {
  app = await createFakeApp();
  asked = [];
  app.engine.handlers['local-models'] = async ({ action }) => {
    asked.push(action);
    return view;
  };
});

async function open(entry: Partial<LocalModelEntry>, device: Partial<LocalModelsView['device']> = {}): Promise<void> {
  view = { entries: [{ ...ENTRY, ...entry }], device: { ...DEVICE, ...device }, usedBytes: 1000 };
  await render(Harness, {
    app,
    component: SettingsPage,
    given: { section: 'models' as const, item: null, initialTexts: await app.texts.current.loadSettings() },
  });
}

const button = (name: string | RegExp) => page.getByRole('button', { name });
const lastAsked = (): LocalModelAction | undefined => asked.at(-1);

describe('a model that is not here', () => {
  test('says what it needs and is downloaded', async () => {
    await open({});
    const row = page.getByRole('listitem', { name: 'Little Model' });
    await expect.element(row).toHaveTextContent('Graphics processor · 300 MB to download · 600 MB of memory · reads 4,096 tokens');
    await expect.element(row).toHaveTextContent('English, German');
    await expect.element(row.getByRole('link', { name: 'Apache 2.0' })).toHaveAttribute('rel', 'noreferrer noopener');
    await button('Download Little Model').click();
    expect(lastAsked()).toEqual({ type: 'download', modelId: 'm' });
  });

  test('is asked for once more where data is to be saved', async () => {
    await open({}, { saveData: true });
    await button('Download Little Model').click();
    await expect.element(page.getByRole('dialog')).toHaveTextContent('the model is 300 MB');
    expect(lastAsked()).toEqual({ type: 'look' });
    await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
    expect(lastAsked()).toEqual({ type: 'download', modelId: 'm' });
  });

  test('that does not fit says why, and can’t be downloaded', async () => {
    await open({ fit: { fits: false, reason: 'memory', needBytes: 4e9, haveBytes: 2e9 } });
    await page.getByText('1 model does not fit').click();
    await expect.element(page.getByText('Needs 4 GB of memory; this device has about 2 GB.')).toBeVisible();
    await expect.element(button('Download Little Model')).not.toBeInTheDocument();
  });
});

describe('a download', () => {
  test('shows how far it is, is paused and cancelled', async () => {
    await open({ status: { type: 'downloading', receivedBytes: 100e6, totalBytes: 300e6 } });
    await expect.element(page.getByText('Downloading: 100 MB of 300 MB')).toBeVisible();
    const bar = page.getByRole('progressbar', { name: 'Download of Little Model' });
    await expect.element(bar).toHaveAttribute('value', '100000000');
    app.engine.emit('local-models', {
      ...view,
      entries: [{ ...ENTRY, status: { type: 'downloading', receivedBytes: 200e6, totalBytes: 300e6 } }],
    });
    await expect.element(page.getByText('Downloading: 200 MB of 300 MB')).toBeVisible();
    await button('Pause').click();
    expect(lastAsked()).toEqual({ type: 'pause', modelId: 'm' });
    await button('Cancel the download of Little Model').click();
    await expect.element(page.getByRole('dialog')).toHaveTextContent('Frees 100 MB');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    expect(lastAsked()).toEqual({ type: 'remove', modelId: 'm' });
  });

  test('that failed says why and what to do, and goes on', async () => {
    const error = { code: 'storage-quota', retryable: false, details: {} } as const;
    await open({ status: { type: 'paused', receivedBytes: 100e6, totalBytes: null, error } });
    await expect.element(page.getByRole('alert')).toHaveTextContent('The browser has no space left for Jackdaw.');
    await expect.element(page.getByText('Paused at 100 MB')).toBeVisible();
    await button('Go on').click();
    expect(lastAsked()).toEqual({ type: 'download', modelId: 'm' });
  });
});

describe('a model that is here', () => {
  test('is used for new chats, loaded, and says how fast it was', async () => {
    await open({ status: { type: 'ready', storedBytes: 300e6 }, tokensPerSecond: 12.34 });
    await expect.element(page.getByText('12.3 tokens/s here', { exact: false })).toBeVisible();
    await button('Use Little Model for new chats').click();
    await expect.element(page.getByText('Used for new chats')).toBeVisible();
    expect(app.settings.current.defaultModel).toEqual({ accountId: 'this-device', modelId: 'm' });
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    expect(lastAsked()).toEqual({ type: 'load', modelId: 'm' });
  });

  test('that is loaded is unloaded', async () => {
    await open({ status: { type: 'loaded', storedBytes: 300e6 } });
    await button('Unload').click();
    expect(lastAsked()).toEqual({ type: 'unload' });
  });

  test('whose last load was the end of the page says so', async () => {
    await open({ status: { type: 'ready', storedBytes: 300e6 }, hasCrashed: true });
    await expect.element(page.getByText('The last time it was loaded', { exact: false })).toBeVisible();
  });
});

test('what can not be done says why', async () => {
  await open({});
  app.engine.handlers['local-models'] = async () => Promise.reject(new AppError('owner-silent'));
  await button('Download Little Model').click();
  await expect.element(page.getByText('The tab that writes this answer does not react.')).toBeVisible();
});

test('the hub’s address is completed, and what is none is not taken', async () => {
  await open({});
  const host = page.getByRole('textbox', { name: 'Where models come from' });
  await host.fill('not an address');
  await userEvent.tab();
  await expect.element(page.getByText('Enter a full address that begins with https:// or http://.')).toBeVisible();
  expect(app.settings.current.modelHost).toBe('https://huggingface.co/');
  await host.fill('https://mirror.example/hf');
  await userEvent.tab();
  await expect.poll(() => app.settings.current.modelHost).toBe('https://mirror.example/hf/');
});

test.each([
  ['none', 'This browser has no WebGPU'],
  ['no-adapter', 'There is no graphics processor'],
  ['software', 'Graphics are computed in software'],
  ['hardware', 'Models can use the graphics processor.'],
] as const)('a device with %s is described', async (gpu, words) => {
  await open({}, { gpu });
  await expect.element(page.getByText(words, { exact: false })).toBeVisible();
});
