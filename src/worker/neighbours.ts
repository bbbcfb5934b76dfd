import { Peer, type Handlers, type Listener, type PortLike } from '../bridge/rpc';
import { AppError } from '../core/errors';
import type { Commands, Events } from '../core/protocol';
import type { Locks } from '../generation/sessions';
import { WORKER_LOCK } from './locks';

/** Another tab's generation worker, reached over the shared channel. */
export type Neighbour = Peer<Commands, Commands, Events, Events>;

interface Envelope {
  readonly from: string;
  /** A worker's name, or `*` for everyone. */
  readonly to: string;
  readonly message: unknown;
}

interface Entry {
  readonly peer: Neighbour;
  readonly receive: (message: unknown) => void;
}

export interface Channel {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
}

/**
 * The other tabs' workers. Each is a peer with the same commands as the page's; it is made on first contact and closed when the other
 * worker's lock says that it died, so that nothing ever waits for a dead tab.
 */
export class Neighbours {
  readonly #name: string;
  readonly #channel: Channel;
  readonly #locks: Locks;
  readonly #handlersFor: (neighbour: () => Neighbour) => Handlers<Commands>;
  readonly #listenTo: (neighbour: () => Neighbour) => Listener<Events>;
  readonly #peers = new Map<string, Entry>();
  readonly #gone = new Set<string>();
  readonly #onGone: (neighbour: Neighbour) => void;

  constructor(options: {
    name: string;
    channel: Channel;
    locks: Locks;
    handlersFor: (neighbour: () => Neighbour) => Handlers<Commands>;
    listenTo: (neighbour: () => Neighbour) => Listener<Events>;
    onGone: (neighbour: Neighbour) => void;
  }) {
    this.#name = options.name;
    this.#channel = options.channel;
    this.#locks = options.locks;
    this.#handlersFor = options.handlersFor;
    this.#listenTo = options.listenTo;
    this.#onGone = options.onGone;
    this.#channel.addEventListener('message', (event) => {
      this.#receive(event.data);
    });
  }

  /** The worker that owns a conversation's lock, or null when nobody does. */
  async owner(lockName: string): Promise<Neighbour | null> {
    const holder = await this.#locks.holder(lockName);
    return holder === null || holder === this.#name ? null : this.#peer(holder).peer;
  }

  /** Tells every other tab. */
  emit<K extends keyof Events & string>(name: K, payload: Events[K]): void {
    this.#send('*', { type: 'event', name, payload });
  }

  #receive(data: unknown): void {
    if (!isEnvelope(data) || data.from === this.#name || (data.to !== '*' && data.to !== this.#name)) return;
    // The last words of the dead may come late: what they began has been closed, and would never end again.
    if (this.#gone.has(data.from)) return;
    this.#peer(data.from).receive(data.message);
  }

  #peer(name: string): Entry {
    const known = this.#peers.get(name);
    if (known !== undefined) return known;
    const listeners = new Set<(event: MessageEvent<unknown>) => void>();
    const port: PortLike = {
      postMessage: (message) => {
        this.#send(name, message);
      },
      addEventListener: (_type, listener) => listeners.add(listener),
      removeEventListener: (_type, listener) => listeners.delete(listener),
    };
    const handlers = this.#handlersFor(() => entry.peer);
    const entry: Entry = {
      peer: new Peer<Commands, Commands, Events, Events>(
        port,
        handlers,
        this.#listenTo(() => entry.peer),
      ),
      receive: (message: unknown): void => {
        for (const listener of listeners) listener(new MessageEvent('message', { data: message }));
      },
    };
    this.#peers.set(name, entry);
    void this.#watchLife(name, entry.peer);
    return entry;
  }

  async #watchLife(name: string, peer: Neighbour): Promise<void> {
    const release = await this.#locks.acquire(`${WORKER_LOCK}${name}`);
    release();
    this.#peers.delete(name);
    this.#gone.add(name);
    peer.close(new AppError('owner-silent', { retryable: true }));
    this.#onGone(peer);
  }

  #send(to: string, message: unknown): void {
    this.#channel.postMessage({ from: this.#name, to, message } satisfies Envelope);
  }
}

/** Whether a call failed because the other worker is gone. */
export function isOwnerSilent(error: unknown): boolean {
  return error instanceof AppError && error.code === 'owner-silent';
}

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value && 'message' in value;
}
