import { Workbox } from 'workbox-window';
import type { AppContext } from '../app-context';
import { hasUnsentWords } from './unsent-words';
import { offerUpdate } from './update-offer';
import { TAKE_OVER_MS, within } from './within';

/** The browser looks by itself only at a navigation, and an installed app may go without one for weeks. */
const CHECK_MS = 3_600_000;

/** Registers the service worker, looks for newer versions as long as the page is open, and offers those that come. Never throws. */
export async function followUpdates(context: AppContext): Promise<void> {
  const workbox = new Workbox(new URL('service-worker.js', document.baseURI).href, { type: 'classic' });
  const offer = (apply: () => Promise<void>): void => {
    offerUpdate(context, {
      apply,
      reload: () => {
        location.reload();
      },
      hasUnsentWords: () => hasUnsentWords(document),
    });
  };
  let isControlled = navigator.serviceWorker.controller !== null;
  let isApplying = false;
  workbox.addEventListener('waiting', () => {
    offer(async () => {
      isApplying = true;
      const controlling = new Promise<void>((resolve) => {
        workbox.addEventListener('controlling', () => resolve());
      });
      workbox.messageSkipWaiting();
      await within(TAKE_OVER_MS, controlling);
    });
  });
  workbox.addEventListener('controlling', () => {
    // Another tab took the update: this one runs on with what it has loaded, and offers a reload of its own.
    // Without a new one in its place, the site's data was cleared.
    const isReplaced = navigator.serviceWorker.controller !== null;
    if (isControlled && isReplaced && !isApplying) offer(() => Promise.resolve());
    isControlled = true;
    isApplying = false;
  });
  // Refused storage, private windows, an insecure address: the app works without, only not offline.
  await workbox.register().catch(() => undefined);
  lookNowAndThen(workbox);
}

/** A page that stays open for days hears of new versions too: when it is looked at again, and while it is looked at. */
function lookNowAndThen(workbox: Workbox): void {
  let lookedAt = Date.now();
  const look = (): void => {
    if (document.visibilityState === 'hidden' || Date.now() - lookedAt < CHECK_MS) return;
    lookedAt = Date.now();
    // Without a network there is nothing to find.
    workbox.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  // More often than it looks, because a timer that is a moment early would wait for the next.
  setInterval(look, CHECK_MS / 6);
}
