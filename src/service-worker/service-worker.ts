import { clientsClaim } from 'workbox-core';
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { isIntact, withSafetyHeaders } from './responses';

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: { url: string; revision: string | null }[] };

const CARRIES_FILES_OF_LATER_USE = /\/(assets|vendor)\//;

const plugin = {
  // Replaces Workbox's own check: what comes back here is stored, null is not.
  cacheWillUpdate: ({ request, response }: { request: Request; response: Response }): Promise<Response | null> =>
    Promise.resolve(isIntact(new URL(request.url), response) ? response : null),
  handlerWillRespond: ({ response }: { response: Response }): Promise<Response> => Promise.resolve(withSafetyHeaders(response)),
};

addPlugins([plugin]);
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
clientsClaim();

const home = new URL(self.registration.scope);
const servePage = createHandlerBoundToURL('index.html');
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
  new CacheFirst({ cacheName: 'lazy-v1', plugins: [plugin] }),
);

self.addEventListener('message', (event) => {
  // Never by itself: an open page would lose the files it was built with in the middle of an answer.
  const data: unknown = event.data;
  if (typeof data === 'object' && data !== null && 'type' in data && data.type === 'SKIP_WAITING') void self.skipWaiting();
});
