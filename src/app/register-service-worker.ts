const RELOADED_FOR = 'jackdaw:reloaded-for';

/**
 * Makes the app work offline, and keeps it whole across updates. Call it once, when the composer can be used: it then waits for the page
 * to be idle. `onUpdateReady` is told of a newer version that waits; nothing changes until its argument is called, which the user alone
 * may ask for while no answer runs: it hands over to the new version and reloads the page.
 * Does nothing in development, and where the browser knows no service workers.
 */
export function registerServiceWorker(onUpdateReady: (apply: () => Promise<void>) => void): void {
  if (!import.meta.env.PROD) return;
  reloadOnceWhenAFileIsGone();
  if (!('serviceWorker' in navigator)) return;
  whenIdle(() => void register(onUpdateReady));
}

async function register(onUpdateReady: (apply: () => Promise<void>) => void): Promise<void> {
  const { Workbox } = await import('workbox-window');
  const workbox = new Workbox(new URL('service-worker.js', document.baseURI).href, { type: 'classic' });
  const reload = (): void => {
    location.reload();
  };
  const wasControlled = navigator.serviceWorker.controller !== null;
  let isApplying = false;
  workbox.addEventListener('waiting', () => {
    onUpdateReady(() => {
      isApplying = true;
      workbox.messageSkipWaiting();
      return Promise.resolve();
    });
  });
  workbox.addEventListener('controlling', () => {
    if (isApplying) reload();
    // Another tab took the update: this one runs on with what it has loaded, and asks for its own reload.
    else if (wasControlled) {
      onUpdateReady(() => {
        reload();
        return Promise.resolve();
      });
    }
  });
  // Refused storage, private windows, an insecure address: the app works without, only not offline.
  await workbox.register().catch(() => undefined);
}

/** After a deployment an open page may ask for a file that is gone. One reload a build brings the new one; a second would not help. */
function reloadOnceWhenAFileIsGone(): void {
  window.addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED_FOR) === import.meta.url) return;
    sessionStorage.setItem(RELOADED_FOR, import.meta.url);
    event.preventDefault();
    location.reload();
  });
}

function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(task, { timeout: 5_000 });
  else setTimeout(task, 2_000);
}
