import { TAKE_OVER_MS, within } from './within';

/** A reload that brings the newest version, also where that still waits for other tabs. For a page that can't go on as it is. */
export async function reloadIntoNewest(): Promise<void> {
  try {
    const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
    if (registration !== undefined) await within(TAKE_OVER_MS, takeNewest(registration));
  } catch {
    // Without a network there may be nothing newer to get; the reload shows what there is.
  }
  location.reload();
}

async function takeNewest(registration: ServiceWorkerRegistration): Promise<void> {
  await registration.update();
  const newest = registration.installing ?? registration.waiting;
  if (newest === null) return;
  await untilState(newest, ['installed', 'activating', 'activated', 'redundant']);
  newest.postMessage({ type: 'SKIP_WAITING' });
  await untilState(newest, ['activated', 'redundant']);
}

async function untilState(worker: ServiceWorker, states: readonly ServiceWorkerState[]): Promise<void> {
  while (!states.includes(worker.state))
    await new Promise((resolve) => {
      worker.addEventListener('statechange', resolve, { once: true });
    });
}
