import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { dropEarlierFiles, keepEarlierFiles } from './earlier-builds';
import { isIntact, withSafetyHeaders } from './responses';

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: { url: string; revision: string | null }[] };

const CARRIES_FILES_OF_LATER_USE = /\/(assets|vendor)\//;
const LATER_USE_CACHE = 'lazy-v1';

const plugin = {
  // Replaces Workbox's own check: what comes back here is stored, null is not.
  cacheWillUpdate: ({ request, response }: { request: Request; response: Response }): Promise<Response | null> =>
    Promise.resolve(isIntact(new URL(request.url), response) ? response : null),
  handlerWillRespond: ({ response }: { response: Response }): Promise<Response> => Promise.resolve(withSafetyHeaders(response)),
};

const build = new PrecacheController({ plugins: [plugin] });
build.addToCacheList(self.__WB_MANIFEST);
self.addEventListener('install', (event) => void build.install(event));
self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver(event));
});
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.waitUntil(dropWhatNobodyNeeds(event.resultingClientId));
});
registerRoute(new PrecacheRoute(build));
cleanupOutdatedCaches();
clientsClaim();

/** Puts the files of the build before aside for the tabs that still run it, and then lets them go. */
async function takeOver(event: ExtendableEvent): Promise<void> {
  const [from, to] = await Promise.all([caches.open(build.strategy.cacheName), caches.open(LATER_USE_CACHE)]);
  // With a full disk an older tab may miss a file, which it tells. The new build must come up all the same.
  if (await isSomeoneHere()) await keepEarlierFiles(from, to, new Set(build.getURLsToCacheKeys().values())).catch(() => undefined);
  await build.activate(event);
}

/** Whether a tab of any build is open, but for the one that is just being loaded. */
async function isSomeoneHere(loading = ''): Promise<boolean> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return windows.some(({ id }) => id !== loading);
}

async function dropWhatNobodyNeeds(loading: string): Promise<void> {
  if (!(await isSomeoneHere(loading))) await dropEarlierFiles(await caches.open(LATER_USE_CACHE));
}

const home = new URL(self.registration.scope);
const servePage = build.createHandlerBoundToURL('index.html');
registerRoute(
  new NavigationRoute((options) => {
    // The page names its files relative to where it lies, so a deeper address would look for them in the wrong place.
    if (options.url.pathname === home.pathname || options.url.pathname === `${home.pathname}index.html`) return servePage(options);
    return Promise.resolve(Response.redirect(`${home.pathname}${options.url.search}`, 302));
  }),
);

// Only files of this origin. Requests to models and to anywhere else never pass through here.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith(home.pathname) && CARRIES_FILES_OF_LATER_USE.test(url.pathname),
  new CacheFirst({ cacheName: LATER_USE_CACHE, plugins: [plugin] }),
);

self.addEventListener('message', (event) => {
  // Never by itself: an open page would lose the files it was built with in the middle of an answer.
  const data: unknown = event.data;
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'SKIP_WAITING') void self.skipWaiting();
});
