import { Peer, type Handlers, type Listener, type PortLike } from '../bridge/rpc';
import { AppError, toErrorData } from '../core/errors';
import { PROTOCOL_VERSION, type Commands, type Events } from '../core/protocol';
import type { Locks } from '../generation/sessions';
import { WORKER_LOCK } from './locks';
import { callPatiently, type Line } from './patience';

/** What neighbours ask of each other: a page's commands, and whether they are there at all. */
interface NeighbourCommands extends Commands {
  ping: { args: Record<never, never>; result: null };
}

/** Another tab's generation worker, reached over the shared channel. */
export type Neighbour = Peer<NeighbourCommands, NeighbourCommands, Events, Events>;

/** What a new worker says to all, and each of them to it: only who is known is missed. */
const GREETING = 'here';

/** The worker that owns a conversation. */
export interface Owner {
  /**
   * Runs a command there. Throws its AppError, or `owner-silent`: as `isOwnerGone` says where it died, otherwise because it does not react;
   * the call is taken back then.
   */
  call<K extends keyof Commands & string>(name: K, args: Commands[K]['args'], signal?: AbortSignal): Promise<Commands[K]['result']>;
}

interface Envelope {
  readonly from: string;
  /** A worker's name, or `*` for everyone. */
  readonly to: string;
  /** The sender's `PROTOCOL_VERSION`. */
  readonly protocol: number;
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
 * The other tabs' workers. Each is a peer with the same commands as the page's; it is made on first contact, at the latest when they greet
 * each other, and closed when the other worker's lock says that it died, so that nothing ever waits for a dead tab.
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
  readonly #sleep: (ms: number, signal: AbortSignal) => Promise<void>;

  constructor(options: {
    name: string;
    channel: Channel;
    locks: Locks;
    handlersFor: (neighbour: () => Neighbour) => Handlers<Commands>;
    listenTo: (neighbour: () => Neighbour) => Listener<Events>;
    onGone: (neighbour: Neighbour) => void;
    sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  }) {
    this.#name = options.name;
    this.#channel = options.channel;
    this.#locks = options.locks;
    this.#handlersFor = options.handlersFor;
    this.#listenTo = options.listenTo;
    this.#onGone = options.onGone;
    this.#sleep = options.sleep;
    this.#channel.addEventListener('message', (event) => {
      this.#receive(event.data);
    });
  }

  /** Makes this worker and the others known to each other. To be called before it owns anything. */
  greet(): void {
    this.#send('*', GREETING);
  }

  /** The worker that owns a conversation's lock, or null when nobody does. */
  async owner(lockName: string): Promise<Owner | null> {
    const holder = await this.#locks.holder(lockName);
    if (holder === null || holder === this.#name) return null;
    const { peer } = this.#peer(holder);
    const line: Line = {
      ping: (signal) => peer.call('ping', {}, signal),
      // One that sleeps and owns nothing any more is as good as gone: the next owner can be asked.
      failure: async () => ((await this.#locks.holder(lockName)) === holder ? ownerFrozen() : ownerGone()),
      sleep: this.#sleep,
    };
    return { call: (name, args, signal) => callPatiently(line, (either) => peer.call(name, args, either), signal) };
  }

  /** Tells every other tab. */
  emit<K extends keyof Events & string>(name: K, payload: Events[K]): void {
    this.#send('*', { type: 'event', name, payload });
  }

  #receive(data: unknown): void {
    if (!isEnvelope(data) || data.from === this.#name || (data.to !== '*' && data.to !== this.#name)) return;
    // The last words of the dead may come late: what they began has been closed, and would never end again.
    if (this.#gone.has(data.from)) return;
    const { receive } = this.#peer(data.from);
    if (data.message === GREETING) {
      if (data.to === '*') this.#send(data.from, GREETING);
    } else if (data.protocol === PROTOCOL_VERSION || isOfType(data.message, 'failure')) receive(data.message);
    else if (isOfType(data.message, 'call')) this.#refuse(data.from, data.message);
  }

  /**
   * A tab of another version is not understood, and would wait for its answer for ever. That a call failed is said in words that every version
   * knows: this tab does not react, so go to it.
   */
  #refuse(caller: string, call: object): void {
    const id = 'id' in call ? call.id : undefined;
    this.#send(caller, { type: 'failure', id, error: toErrorData(ownerFrozen()) });
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
    const handlers: Handlers<NeighbourCommands> = { ...this.#handlersFor(() => entry.peer), ping: async () => null };
    const entry: Entry = {
      peer: new Peer<NeighbourCommands, NeighbourCommands, Events, Events>(
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
    await this.#locks.whenFree(`${WORKER_LOCK}${name}`);
    this.#peers.delete(name);
    this.#gone.add(name);
    peer.close(ownerGone());
    this.#onGone(peer);
  }

  #send(to: string, message: unknown): void {
    this.#channel.postMessage({ from: this.#name, to, protocol: PROTOCOL_VERSION, message } satisfies Envelope);
  }
}

/** The failure of a call whose owner is gone: somebody else will own the conversation in a moment. */
export function ownerGone(): AppError {
  return new AppError('owner-silent', { retryable: true });
}

function ownerFrozen(): AppError {
  return new AppError('owner-silent', { retryable: true, details: { frozen: true } });
}

/** Whether a call failed because the owner is gone, not because it does not react. */
export function isOwnerGone(error: unknown): boolean {
  return isOwnerSilent(error) && error.details['frozen'] !== true;
}

/** Whether a call failed because the owner is gone or does not react. */
export function isOwnerSilent(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'owner-silent';
}

function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === 'object' &&
    value !== null &&
    'from' in value &&
    typeof value.from === 'string' &&
    'to' in value &&
    'protocol' in value &&
    'message' in value
  );
}

function isOfType(message: unknown, type: string): message is object {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === type;
}
