import { expect, test } from 'vitest';
import { dropEarlierFiles, keepEarlierFiles } from '../../src/service-worker/earlier-builds';

/** A cache that knows its addresses alone. */
class FakeCache {
  readonly urls: Set<string>;

  constructor(...urls: string[]) {
    this.urls = new Set(urls);
  }

  keys(): Promise<Request[]> {
    return Promise.resolve([...this.urls].map((url) => new Request(url)));
  }

  match(request: RequestInfo | URL): Promise<Response | undefined> {
    return Promise.resolve(this.urls.has(addressOf(request)) ? new Response('file') : undefined);
  }

  put(request: RequestInfo | URL): Promise<void> {
    this.urls.add(addressOf(request));
    return Promise.resolve();
  }

  delete(request: RequestInfo | URL): Promise<boolean> {
    return Promise.resolve(this.urls.delete(addressOf(request)));
  }
}

function addressOf(request: RequestInfo | URL): string {
  return request instanceof Request ? request.url : String(request);
}

const at = (path: string): string => `https://example.test/app/${path}`;

test('files of earlier builds are put aside, pages and what this build has are not', async () => {
  const all = new FakeCache(at('assets/a.1.js'), at('assets/b.2.js'), at('index.html?__WB_REVISION__=1'), at('icon.svg?__WB_REVISION__=1'));
  const aside = new FakeCache(at('vendor/engine.wasm'));
  await keepEarlierFiles(all, aside, new Set([at('assets/b.2.js'), at('index.html?__WB_REVISION__=2')]));
  expect([...aside.urls]).toEqual([at('vendor/engine.wasm'), at('assets/a.1.js')]);
  await dropEarlierFiles(aside);
  expect([...aside.urls]).toEqual([at('vendor/engine.wasm')]);
});

test('of an engine only the newest is kept', async () => {
  const aside = new FakeCache(at('vendor/wllama-AbCd_1-3.wasm'), at('vendor/web-llm-AAAAAAAA.js'), at('vendor/wllama-EfGh5678.wasm'));
  await dropEarlierFiles(aside);
  expect([...aside.urls]).toEqual([at('vendor/web-llm-AAAAAAAA.js'), at('vendor/wllama-EfGh5678.wasm')]);
});
