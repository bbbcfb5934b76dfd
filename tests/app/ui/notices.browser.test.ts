import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { NOTICE_MS, NoticesState } from '../../../src/app/state/notices.svelte';
import Button from '../../../src/app/ui/Button.svelte';
import { AppError } from '../../../src/core/errors';
import { createFakeApp, type FakeApp } from '../chat/fake-app';
import DialogExample from './DialogExample.svelte';
import Harness from './Harness.svelte';

afterEach(() => {
  vi.useRealTimers();
});

test('messages leave by themselves, errors stay, aborts are silent', () => {
  vi.useFakeTimers();
  const notices = new NoticesState();
  notices.show('Saved');
  notices.fail(new AppError('auth'));
  notices.fail(new DOMException('stop', 'AbortError'));
  expect(notices.current.map(({ type }) => type)).toEqual(['message', 'error']);
  vi.advanceTimersByTime(NOTICE_MS);
  expect(notices.current.map(({ type }) => type)).toEqual(['error']);
  notices.dismiss(notices.current[0]?.id ?? 0);
  expect(notices.current).toEqual([]);
});

test('while it is looked at the clock stands still', () => {
  vi.useFakeTimers();
  const notices = new NoticesState();
  notices.show('Deleted', { durationMs: NOTICE_MS });
  vi.advanceTimersByTime(NOTICE_MS - 1);
  notices.pause();
  vi.advanceTimersByTime(10 * NOTICE_MS);
  expect(notices.current).toHaveLength(1);
  notices.resume();
  vi.advanceTimersByTime(NOTICE_MS - 1);
  expect(notices.current).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(notices.current).toEqual([]);
});

test('the same thing is said once', () => {
  const notices = new NoticesState();
  notices.fail(new AppError('offline'));
  notices.fail(new AppError('offline'));
  notices.show('One', { key: 'update', durationMs: null });
  notices.show('Two', { key: 'update', durationMs: null });
  expect(notices.current.map((notice) => (notice.type === 'message' ? notice.text : notice.error.code))).toEqual(['offline', 'Two']);
});

test('who dismisses a notice has taken note of it; one that leaves or is replaced was not', () => {
  vi.useFakeTimers();
  const noted = vi.fn();
  const notices = new NoticesState();
  notices.fail(new AppError('offline'), { onDismiss: noted });
  notices.fail(new AppError('offline'), { onDismiss: noted });
  notices.show('Brief', { onDismiss: noted });
  vi.advanceTimersByTime(NOTICE_MS);
  expect(noted).not.toHaveBeenCalled();
  notices.dismiss(notices.current[0]?.id ?? 0);
  expect(noted).toHaveBeenCalledOnce();
});

test('what always helps stands beside an error wherever it came from', () => {
  const reload = { label: 'Reload', run: () => undefined };
  const notices = new NoticesState((code) => (code === 'storage-gone' ? reload : undefined));
  notices.fail(new AppError('offline'));
  notices.fail(new AppError('storage-gone'));
  expect(notices.current.map(({ action }) => action?.label)).toEqual([undefined, 'Reload']);
});

let app: FakeApp;

beforeEach(async () => {
  app = await createFakeApp();
  await render(Harness, { app, component: DialogExample, given: {} });
});

test('there is one region that speaks, before anything is said', async () => {
  await expect.element(page.getByRole('status')).toBeInTheDocument();
  expect(document.querySelectorAll('[role="status"]')).toHaveLength(1);
});

test('an action runs once and its notice goes', async () => {
  const run = vi.fn();
  app.notices.show('Deleted', { action: { label: 'Undo', run } });
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(run).toHaveBeenCalledOnce();
  await expect.poll(() => app.notices.current).toEqual([]);
});

test('an error shows its sentence and its next step', async () => {
  app.notices.fail(new AppError('model-not-found', { details: { host: 'localhost:11434', modelId: 'tiny' } }));
  await expect.element(page.getByRole('status')).toHaveTextContent('localhost:11434 does not have the model “tiny”.');
  await expect.element(page.getByRole('status')).toHaveTextContent('Choose another model.');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByRole('status')).toHaveTextContent('');
});

test('many notices do not cover the page', async () => {
  for (let count = 0; count < 6; count += 1) app.notices.show(`Notice ${String(count)}`);
  await expect.element(page.getByText('3 more notices')).toBeVisible();
  await expect.element(page.getByText('Notice 5')).toBeVisible();
  expect(page.getByText('Notice 1').query()).toBeNull();
});

test('a busy button keeps the focus and takes no clicks', async () => {
  const onclick = vi.fn();
  const children = (await import('svelte')).createRawSnippet(() => ({ render: () => '<span>Save</span>' }));
  await render(Button, { isBusy: true, onclick, children });
  const button = page.getByRole('button', { name: 'Save' });
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  expect(onclick).not.toHaveBeenCalled();
  await expect.element(button).toHaveFocus();
});
