import { toStore } from 'svelte/store';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import Sidebar from '../../../src/app/history/Sidebar.svelte';
import { PAGE_ROWS } from '../../../src/app/state/conversations.svelte';
import { markDeleted, readConversation, restoreConversation } from '../../../src/storage/conversations';
import { createFakeApp, seedConversation, snapshot, runEnd, stamp, type FakeApp } from '../chat/fake-app';
import Harness from '../ui/Harness.svelte';

let app: FakeApp;

async function open(titles: readonly string[]): Promise<readonly string[]> {
  app = await createFakeApp();
  app.engine.handlers['delete-conversation'] = async ({ conversationId }) => {
    await markDeleted(app.database, conversationId, stamp());
    return null;
  };
  app.engine.handlers['restore-conversation'] = async ({ conversationId }) => {
    await restoreConversation(app.database, conversationId, stamp());
    return null;
  };
  const ids: string[] = [];
  for (const title of titles) ids.push(await seedConversation(app.database, [], title));
  await render(Harness, { app, component: Sidebar, given: { onclose: () => undefined } });
  return ids;
}

const row = (title: string) => page.getByRole('link', { name: title, exact: true });
const menuOf = (title: string) => page.getByRole('button', { name: `Options for “${title}”` });

async function choose(title: string, item: string): Promise<void> {
  await menuOf(title).click();
  await page.getByRole('menuitem', { name: item }).click();
}

beforeEach(() => {
  location.hash = '#/';
});

test('without conversations it says what to do first', async () => {
  await open([]);
  await expect.element(page.getByText('No conversations yet')).toBeVisible();
});

test('a row leads to its conversation and is marked as the current one', async () => {
  const [id] = await open(['Birds']);
  await row('Birds').click();
  expect(app.router.current).toEqual({ name: 'chat', conversationId: id });
  await expect.element(row('Birds')).toHaveAttribute('aria-current', 'page');
});

describe('renaming', () => {
  beforeEach(async () => {
    await open(['Old title']);
    await choose('Old title', 'Rename');
    await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveFocus();
  });

  test('Enter saves and the focus is on the row again', async () => {
    await userEvent.keyboard('New title{Enter}');
    await expect.element(row('New title')).toHaveFocus();
  });

  test('Escape leaves everything as it was', async () => {
    await userEvent.keyboard('New title{Escape}');
    await expect.element(row('Old title')).toHaveFocus();
  });

  test('leaving the field saves', async () => {
    await userEvent.keyboard('New title');
    await userEvent.tab();
    await expect.element(row('New title')).toBeVisible();
  });

  test('blank text changes nothing', async () => {
    await userEvent.clear(page.getByRole('textbox', { name: 'Title' }));
    await userEvent.keyboard('   {Enter}');
    await expect.element(row('Old title')).toBeVisible();
  });

  test('Enter of an input method does not save', async () => {
    const field = page.getByRole('textbox', { name: 'Title' });
    field.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }));
    await expect.element(field).toBeVisible();
  });
});

test('the menu works by keyboard and gives the focus back', async () => {
  await open(['Birds']);
  await expect.element(menuOf('Birds')).toBeInTheDocument();
  menuOf('Birds').element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Pin' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(menuOf('Birds')).toHaveFocus();
  expect(page.getByRole('menu').query()).toBeNull();
});

test('a pinned conversation moves to its own group', async () => {
  await open(['Birds', 'Fish']);
  await choose('Birds', 'Pin');
  await expect.element(page.getByRole('region', { name: 'Pinned' }).getByRole('link', { name: 'Birds' })).toBeVisible();
});

test('deleting can be undone, and the focus goes to the neighbour', async () => {
  const [, id = ''] = await open(['Birds', 'Fish']);
  await choose('Fish', 'Delete');
  await expect.poll(() => row('Fish').query()).toBeNull();
  await expect.element(row('Birds')).toHaveFocus();
  expect(await readConversation(app.database, id)).toBeUndefined();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(row('Fish')).toBeVisible();
});

test('the open conversation goes with its row and comes back with the undo', async () => {
  const [id = ''] = await open(['Birds']);
  app.router.go({ name: 'chat', conversationId: id });
  await choose('Birds', 'Delete');
  await expect.poll(() => location.hash).toBe('#/');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => location.hash).toBe(`#/c/${id}`);
});

test('a running answer is said in words', async () => {
  const [id = ''] = await open(['Birds']);
  await expect.element(row('Birds')).toBeVisible();
  app.engine.emit('run-start', snapshot(id, 'node-1'));
  await expect.element(page.getByRole('link', { name: 'Birds Answer in progress' })).toBeVisible();
  app.engine.emit('run-end', runEnd(id, 'node-1'));
  await expect.element(row('Birds')).toBeVisible();
});

test('older conversations are read as the end comes near', async () => {
  const titles = Array.from({ length: PAGE_ROWS + 15 }, (_value, index) => `Talk ${String(index)}`);
  await open(titles);
  // The newest is first; the oldest lies on the second page.
  await expect.element(row(`Talk ${String(PAGE_ROWS + 14)}`)).toBeInTheDocument();
  expect(row('Talk 0').query()).toBeNull();
  page.getByRole('button', { name: 'Show older conversations' }).element().scrollIntoView();
  await expect.element(row('Talk 0')).toBeInTheDocument();
  expect(page.getByRole('button', { name: 'Show older conversations' }).query()).toBeNull();
});

test('a page of rows is read at a time', async () => {
  app = await createFakeApp();
  for (let count = 0; count < PAGE_ROWS + 5; count += 1) await seedConversation(app.database, []);
  const lengths: number[] = [];
  const stop = toStore(() => app.conversations.current).subscribe((rows) => lengths.push(rows?.length ?? 0));
  await expect.poll(() => lengths.at(-1)).toBe(PAGE_ROWS);
  expect(app.conversations.hasMore).toBe(true);
  app.conversations.showMore();
  await expect.poll(() => lengths.at(-1)).toBe(PAGE_ROWS + 5);
  expect(app.conversations.hasMore).toBe(false);
  stop();
});

test('a conversation in which something waits for the user says so, until it is decided', async () => {
  const [id = ''] = await open(['Birds', 'Trees']);
  const wait = { conversationId: id, nodeId: 'node', isQuestion: false };
  await app.database.waits.bulkPut([
    { ...wait, callId: 'a' },
    { ...wait, callId: 'b' },
  ]);
  await expect.element(page.getByRole('link', { name: 'Birds Waiting for you' })).toBeVisible();
  expect(page.getByText('Waiting for you').elements()).toHaveLength(1);
  await app.database.waits.clear();
  await expect.element(page.getByText('Waiting for you')).not.toBeInTheDocument();
});
