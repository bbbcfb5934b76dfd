import { flushSync, mount, unmount } from 'svelte';
import { onTestFinished } from 'vitest';
import ChatHarness from './ChatHarness.svelte';
import type { FakeApp } from './fake-app';

/** Draws the chat page at the app's route; `conversationId: null` is the start page. It is gone when the test is over. */
export async function openChat(app: FakeApp, conversationId: string | null): Promise<void> {
  app.router.go({ name: 'chat', conversationId }, { replace: true });
  const target = document.createElement('div');
  document.body.append(target);
  const harness = mount(ChatHarness, { target, props: { context: app } });
  flushSync();
  onTestFinished(async () => {
    await unmount(harness);
    target.remove();
    app.database.close();
  });
  return Promise.resolve();
}

/** The scrolling element of the thread. */
export function viewport(): HTMLElement {
  const element = document.querySelector<HTMLElement>('.viewport');
  if (element === null) throw new Error('no thread is open');
  return element;
}

/** Pixels between what is shown and the end. */
export function distanceToEnd(): number {
  const { scrollHeight, scrollTop, clientHeight } = viewport();
  return scrollHeight - scrollTop - clientHeight;
}

/** The field that one types into. */
export function composer(): HTMLTextAreaElement {
  const element = document.querySelector('[data-bench="composer"]');
  if (!(element instanceof HTMLTextAreaElement)) throw new Error('no composer');
  return element;
}

/** The next two frames: layout, observers and paint are done. */
export async function painted(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}
