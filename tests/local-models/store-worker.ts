// Runs a model store as the app does: in a worker, because only there a file can be written in place.
import { Peer, type PortLike } from '../../src/bridge/rpc';
import { createModelStore } from '../../src/local-models/model-store';
import { createTestGate } from '../outbound/test-gate';
import { FakeHub, ggufBytes, sha256 } from '../support/fake-hub';
import { HUB_URL, type StoreCommands, type StoreEvents } from './store-line';

const hub = new FakeHub(HUB_URL);
let isLocked = false;
const { gate } = createTestGate({ fetch: hub.fetch, isLocked: async () => isLocked });
// Every step of progress is told: no time is too short.
let elapsed = 0;
const store = createModelStore(gate, () => (elapsed += 1000));

const port: PortLike = {
  postMessage: (message) => {
    self.postMessage(message);
  },
  addEventListener: (type, listener) => {
    self.addEventListener(type, listener);
  },
  removeEventListener: (type, listener) => {
    self.removeEventListener(type, listener);
  },
};

const peer = new Peer<Record<never, never>, StoreCommands, StoreEvents, Record<never, never>>(
  port,
  {
    put: async ({ path, size, seed, start, behaviour }) => {
      const bytes = ggufBytes(size, seed);
      bytes.set(new TextEncoder().encode(start ?? ''));
      hub.put(path, bytes, behaviour);
      return null;
    },
    behave: async ({ path, behaviour }) => {
      hub.behave(path, behaviour);
      return null;
    },
    settings: async ({ hasLists, locked, estimate }) => {
      if (estimate !== undefined) Object.defineProperty(navigator.storage, 'estimate', { value: async () => estimate, configurable: true });
      hub.hasLists = hasLists ?? hub.hasLists;
      isLocked = locked ?? isLocked;
      return null;
    },
    requests: async () => {
      const seen = { requests: [...hub.requests], sentBytes: hub.sentBytes };
      hub.forgetRequests();
      return seen;
    },
    download: async ({ model, pauseAt }) => {
      const controller = new AbortController();
      return store.download(model, {
        signal: controller.signal,
        modelHost: HUB_URL,
        record: null,
        onProgress: (progress) => {
          peer.emit('progress', progress);
          if (pauseAt !== null && progress.receivedBytes >= pauseAt) controller.abort();
        },
      });
    },
    'take-in': async ({ model, file, isAborted }) =>
      store.takeIn(model, file, isAborted ? AbortSignal.abort() : new AbortController().signal),
    open: async ({ model }) => {
      const files = await store.open(model);
      return Promise.all(files.map(async (file) => sha256(new Uint8Array(await file.arrayBuffer()))));
    },
    'stored-bytes': async ({ model }) => store.storedBytes(model),
    remove: async ({ model }) => {
      await store.remove(model);
      return null;
    },
  },
  () => undefined,
);
