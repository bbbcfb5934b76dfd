import { expect, test, vi } from 'vitest';
import { keepDataOfInstalledApp } from '../../../src/app/page-calls/persistence';

/** A window that is an installed app's, or a tab's until `install`. */
function openWindow(isInstalled: boolean) {
  const target = new EventTarget();
  const page = {
    matchMedia: () => ({ matches: isInstalled }),
    addEventListener: target.addEventListener.bind(target),
  };
  return { page, install: () => target.dispatchEvent(new Event('appinstalled')) };
}

function storageThatIs(persisted: boolean) {
  return { persist: vi.fn(() => Promise.resolve(true)), persisted: vi.fn(() => Promise.resolve(persisted)) };
}

test('an installed app asks to keep its data, at its start or when it is installed; a tab does not', async () => {
  const storage = storageThatIs(false);
  const { page, install } = openWindow(false);
  keepDataOfInstalledApp(page, storage);
  expect(storage.persisted).not.toHaveBeenCalled();
  install();
  await expect.poll(() => storage.persist.mock.calls.length).toBe(1);
  keepDataOfInstalledApp(openWindow(true).page, storage);
  await expect.poll(() => storage.persist.mock.calls.length).toBe(2);
});

test('what is kept already is not asked for; a browser without storage or that throws is no failure', async () => {
  const storage = storageThatIs(true);
  keepDataOfInstalledApp(openWindow(true).page, storage);
  await expect.poll(() => storage.persisted.mock.calls.length).toBe(1);
  expect(storage.persist).not.toHaveBeenCalled();
  keepDataOfInstalledApp(openWindow(true).page, undefined);
  storage.persisted.mockRejectedValueOnce(new Error('refused'));
  keepDataOfInstalledApp(openWindow(true).page, storage);
});
