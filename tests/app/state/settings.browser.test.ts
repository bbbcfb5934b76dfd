import { describe, expect, test, vi } from 'vitest';
import { flushSync } from 'svelte';
import { toStore } from 'svelte/store';
import { readPaintHint } from '../../../src/app/state/paint';
import type { Route } from '../../../src/app/state/route';
import { RouterState } from '../../../src/app/state/router.svelte';
import { SettingsState } from '../../../src/app/state/settings.svelte';
import { AppError } from '../../../src/core/errors';
import type { JackdawDatabase } from '../../../src/storage/db';
import { openDatabase } from '../../../src/storage/open';
import { writeSetting } from '../../../src/storage/settings';
import type { Stamp } from '../../../src/storage/stamp';

const refused = (): Storage => {
  throw new DOMException('refused', 'SecurityError');
};

/** A system theme that the test changes. */
class FakeMedia extends EventTarget {
  readonly media = '';
  readonly onchange = null;
  matches = false;
  addListener(): void {}
  removeListener(): void {}
  change(matches: boolean): void {
    this.matches = matches;
    this.dispatchEvent(new Event('change'));
  }
}

async function openStore(): Promise<JackdawDatabase> {
  return openDatabase({ name: `settings-${crypto.randomUUID()}`, onBlocked: () => undefined, onOutdated: () => undefined });
}

function create(database: JackdawDatabase, storage: () => Storage, stamp: () => Stamp = () => ({ at: 1, device: 'd' })) {
  const media = new FakeMedia();
  const root = document.createElement('div');
  const onError = vi.fn();
  const onLanguage = vi.fn();
  const state = new SettingsState({ database, stamp, root, systemDark: media, storage, onError, onLanguage });
  return { state, media, root, onError, onLanguage };
}

describe('settings', () => {
  test('“as on this device” follows the system while the page is open', async () => {
    const { state, media, root } = create(await openStore(), refused);
    const stop = state.start();
    expect(root.dataset['theme']).toBe('light');
    media.change(true);
    expect(root.dataset['theme']).toBe('dark');
    await state.set('theme', 'light');
    expect(root.dataset['theme']).toBe('light');
    stop();
  });

  test('a change in another tab arrives, with its language', async () => {
    const database = await openStore();
    const { state, onLanguage } = create(database, refused);
    const stop = state.start();
    await writeSetting(database, 'language', 'zh-Hans', { at: 5, device: 'other' });
    await expect.poll(() => state.current.language).toBe('zh-Hans');
    expect(onLanguage).toHaveBeenLastCalledWith('zh-Hans');
    stop();
  });

  test('a change that can’t be stored is taken back and told', async () => {
    const database = await openStore();
    const { state, onError, root } = create(database, refused, () => {
      throw new AppError('storage-quota');
    });
    await state.set('theme', 'dark');
    expect(state.current.theme).toBe('auto');
    expect(root.dataset['theme']).toBe('light');
    expect(onError).toHaveBeenCalledOnce();
  });

  test('the copy for the first paint survives nonsense', () => {
    sessionStorage.setItem('jackdaw:paint', '{"theme":"neon","textSize":"large","language":5}');
    const defaults = { theme: 'auto', textSize: 'large', language: 'auto', sidebarOpen: true };
    expect(readPaintHint(() => sessionStorage)).toEqual(defaults);
    sessionStorage.setItem('jackdaw:paint', '[');
    expect(readPaintHint(() => sessionStorage).theme).toBe('auto');
    expect(readPaintHint(refused).theme).toBe('auto');
  });
});

describe('router', () => {
  test('goes, replaces, and follows back and forward', async () => {
    history.pushState(null, '', '#/');
    const router = new RouterState(window);
    const seen: Route[] = [];
    const stop = toStore(() => router.current).subscribe((route) => seen.push(route));
    flushSync();
    const settings = { name: 'settings', section: 'privacy', item: null } as const;
    router.go(settings);
    flushSync();
    expect(location.hash).toBe('#/settings/privacy');
    const length = history.length;
    router.go({ name: 'chat', conversationId: 'a' }, { replace: true });
    flushSync();
    expect(history.length).toBe(length);
    history.back();
    await expect.poll(() => router.current).toEqual({ name: 'chat', conversationId: null });
    history.forward();
    await expect.poll(() => router.current).toEqual({ name: 'chat', conversationId: 'a' });
    expect(seen).toContainEqual(settings);
    stop();
  });
});
