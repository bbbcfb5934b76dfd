import { AppError, fromErrorData, isAbort, toErrorData, type ErrorData } from '../core/errors';

/** Names to argument and result types. */
type CommandMap<C> = { [K in keyof C]: { args: unknown; result: unknown } };

interface CallContext {
  /** Fires when the caller gave up. */
  readonly signal: AbortSignal;
}

/** One function a command. A rejected promise crosses as data and is thrown again on the other side. */
export type Handlers<C extends CommandMap<C>> = {
  readonly [K in keyof C]: (args: C[K]['args'], context: CallContext) => Promise<C[K]['result']>;
};

export type Listener<E> = <K extends keyof E>(name: K, payload: E[K]) => void;

/** A `MessagePort`, or a worker's two ends of one. */
export interface PortLike {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  removeEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
}

type Message =
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly args: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: ErrorData | 'aborted' }
  | { readonly type: 'event'; readonly name: string; readonly payload: unknown };

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * One end of a port. Both ends are alike: each calls the other's commands, serves its own, sends events and hears the other's.
 * Everything that crosses is plain data; a value that can't be cloned rejects the call with `internal` on the sender's side.
 */
export class Peer<Calls extends CommandMap<Calls>, Serves extends CommandMap<Serves>, Emits, Hears> {
  readonly #port: PortLike;
  readonly #handlers: Handlers<Serves>;
  readonly #listen: Listener<Hears>;
  readonly #pending = new Map<number, Pending>();
  readonly #serving = new Map<number, AbortController>();
  #nextId = 1;
  #closed: AppError | undefined;

  constructor(port: PortLike, handlers: Handlers<Serves>, listen: Listener<Hears>) {
    this.#port = port;
    this.#handlers = handlers;
    this.#listen = listen;
    port.addEventListener('message', this.#receive);
  }

  /**
   * Runs a command on the other side. Throws its AppError; once `signal` fires, rejects with the signal's reason at once and tells the
   * other side. After `close` every call rejects with the error given there.
   */
  async call<K extends keyof Calls & string>(name: K, args: Calls[K]['args'], signal?: AbortSignal): Promise<Calls[K]['result']> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
    const id = this.#nextId++;
    return new Promise<Calls[K]['result']>((resolve, reject) => {
      const abort = (): void => {
        this.#pending.delete(id);
        this.#post({ type: 'cancel', id });
        reject(signal?.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'));
      };
      signal?.addEventListener('abort', abort, { once: true });
      const settle = (): void => {
        signal?.removeEventListener('abort', abort);
      };
      this.#pending.set(id, {
        resolve: (value) => {
          settle();
          if (isFromOwnBuild<Calls[K]['result']>(value)) resolve(value);
        },
        reject: (error) => {
          settle();
          reject(error instanceof Error ? error : new AppError('internal'));
        },
      });
      try {
        this.#post({ type: 'call', id, name, args });
      } catch (error) {
        this.#pending.get(id)?.reject(new AppError('internal', { details: { notPlainData: name }, cause: error }));
        this.#pending.delete(id);
      }
    });
  }

  /** Tells the other side something; nobody answers. */
  emit<K extends keyof Emits & string>(name: K, payload: Emits[K]): void {
    if (this.#closed === undefined) this.#post({ type: 'event', name, payload });
  }

  /** Ends this side: pending calls reject with `error`, running commands are aborted. */
  close(error: AppError): void {
    this.#closed = error;
    this.#port.removeEventListener('message', this.#receive);
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
    for (const controller of this.#serving.values()) controller.abort();
    this.#serving.clear();
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    if (!isMessage(event.data)) return;
    const message = event.data;
    switch (message.type) {
      case 'call':
        void this.#serve(message.id, message.name, message.args);
        return;
      case 'cancel':
        this.#serving.get(message.id)?.abort();
        return;
      case 'result':
        this.#pending.get(message.id)?.resolve(message.value);
        this.#pending.delete(message.id);
        return;
      case 'failure': {
        const error = message.error === 'aborted' ? new DOMException('aborted', 'AbortError') : fromErrorData(message.error);
        this.#pending.get(message.id)?.reject(error);
        this.#pending.delete(message.id);
        return;
      }
      case 'event':
        if (isEventOf<Hears>(message)) this.#listen(message.name, message.payload);
    }
  };

  async #serve(id: number, name: string, args: unknown): Promise<void> {
    const controller = new AbortController();
    this.#serving.set(id, controller);
    try {
      if (!isCommandOf(this.#handlers, name)) throw new AppError('internal', { details: { unknownCommand: name } });
      const value = isFromOwnBuild<Serves[keyof Serves]['args']>(args)
        ? await this.#handlers[name](args, { signal: controller.signal })
        : null;
      this.#post({ type: 'result', id, value }, value);
    } catch (error) {
      this.#post({ type: 'failure', id, error: isAbort(error) ? 'aborted' : toErrorData(error) });
    } finally {
      this.#serving.delete(id);
    }
  }

  #post(message: Message, value?: unknown): void {
    this.#port.postMessage(message, streamsIn(value));
  }
}

/** Streams can only be handed over, not copied. */
function streamsIn(value: unknown): Transferable[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((entry): entry is ReadableStream => entry instanceof ReadableStream);
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'type' in value;
}

// Both ends are compiled from the same `core/protocol.ts` in one build, so shapes are not checked again at the port.
function isFromOwnBuild<T>(value: unknown): value is T {
  return value !== Symbol.for('jackdaw:never');
}

function isCommandOf<C extends CommandMap<C>>(handlers: Handlers<C>, name: string): name is keyof C & string {
  return Object.hasOwn(handlers, name);
}

function isEventOf<E>(message: { name: string; payload: unknown }): message is { name: keyof E & string; payload: E[keyof E & string] } {
  return message.name !== '';
}
