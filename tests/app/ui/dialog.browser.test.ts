import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { createFakeApp } from '../chat/fake-app';
import DialogExample from './DialogExample.svelte';
import Harness from './Harness.svelte';

beforeEach(async () => {
  await render(Harness, { app: await createFakeApp(), component: DialogExample, given: {} });
  await page.getByRole('button', { name: 'Open' }).click();
  await expect.element(page.getByRole('dialog', { name: 'A question' })).toBeVisible();
});

test('the focus goes in and stays in', async () => {
  const dialog = page.getByRole('dialog').element();
  expect(dialog.contains(document.activeElement)).toBe(true);
  for (let count = 0; count < 5; count += 1) {
    await userEvent.tab();
    // The browser's own controls may take a turn; nothing of the page behind may.
    expect(document.activeElement === document.body || dialog.contains(document.activeElement)).toBe(true);
  }
});

test('Escape closes it and gives the focus back', async () => {
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus();
  expect(page.getByRole('dialog').query()).toBeNull();
});

test('its own button and a click beside it close it', async () => {
  await page.getByRole('button', { name: 'Done' }).click();
  expect(page.getByRole('dialog').query()).toBeNull();
  await page.getByRole('button', { name: 'Open' }).click();
  page
    .getByRole('dialog')
    .element()
    .dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
  await expect.poll(() => page.getByRole('dialog').query()).toBeNull();
});
