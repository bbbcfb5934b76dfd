import { isAbort, toErrorData, type ErrorCode, type ErrorData } from '../../core/errors';

/** Long enough to read two lines and reach the button. */
export const NOTICE_MS = 10_000;
/** A confirmation with nothing to do about it. */
const CONFIRMATION_MS = 5000;
const MAX_NOTICES = 20;

export interface NoticeAction {
  readonly label: string;
  /** Runs on a click; the notice is gone by then. */
  run(): void | Promise<void>;
}

interface NoticeOptions {
  readonly action?: NoticeAction;
  /** `null` keeps it until it is dismissed. Default: NOTICE_MS with an action, half of it without. */
  readonly durationMs?: number | null;
  /** A notice with the same key replaces the one before. */
  readonly key?: string;
  /** Called when the reader has dismissed it or acted on it, not when it leaves by itself or for another one. */
  readonly onDismiss?: () => void;
}

/** What an error may have beside its sentence. */
type ErrorOptions = Pick<NoticeOptions, 'action' | 'onDismiss'>;

export type Notice = { readonly id: number; readonly key: string; readonly action?: NoticeAction; readonly onDismiss?: () => void } & (
  | { readonly type: 'message'; readonly text: string }
  /** Its sentence is looked up when it is drawn, so that it follows the language. */
  | { readonly type: 'error'; readonly error: ErrorData }
);

interface Timer {
  readonly id: number;
  handle: ReturnType<typeof setTimeout> | undefined;
  readonly durationMs: number;
}

/** Short messages at the edge of the page. Errors stay until they are dismissed; the others leave by themselves. */
export class NoticesState {
  #notices = $state.raw<readonly Notice[]>([]);
  #timers: readonly Timer[] = [];
  #nextId = 1;
  readonly #wayOut: (code: ErrorCode) => NoticeAction | undefined;

  /** `wayOut`: what helps against an error wherever it came from; shown where its notice has no action of its own. */
  constructor(wayOut: (code: ErrorCode) => NoticeAction | undefined = () => undefined) {
    this.#wayOut = wayOut;
  }

  /** Oldest first. */
  get current(): readonly Notice[] {
    return this.#notices;
  }

  /** Shows a message; returns its id. */
  show(text: string, options: NoticeOptions = {}): number {
    const durationMs = options.durationMs === undefined ? (options.action === undefined ? CONFIRMATION_MS : NOTICE_MS) : options.durationMs;
    return this.#add((id, key) => ({ id, key, type: 'message', text, ...extrasOf(options) }), options.key ?? text, durationMs);
  }

  /** Shows what a thrown value means, until dismissed. An abort is not an error and shows nothing. */
  fail(error: unknown, options: ErrorOptions = {}): void {
    if (!isAbort(error)) this.failWith(toErrorData(error), options);
  }

  /** The same for a failure that came as data. */
  failWith(data: ErrorData, options: ErrorOptions = {}): void {
    const action = options.action ?? this.#wayOut(data.code);
    const extras = extrasOf({ ...options, ...(action === undefined ? {} : { action }) });
    this.#add((id, key) => ({ id, key, type: 'error', error: data, ...extras }), `error:${data.code}`, null);
  }

  /** The reader has taken note of it. */
  dismiss(id: number): void {
    const dismissed = this.#notices.find((notice) => notice.id === id);
    this.#remove(id);
    dismissed?.onDismiss?.();
  }

  #remove(id: number): void {
    clearTimeout(this.#timers.find((timer) => timer.id === id)?.handle);
    this.#timers = this.#timers.filter((timer) => timer.id !== id);
    this.#notices = this.#notices.filter((notice) => notice.id !== id);
  }

  /** Stops all clocks while the reader points at a notice or has the focus in one. */
  pause(): void {
    for (const timer of this.#timers) clearTimeout(timer.handle);
  }

  /** Starts all clocks from the beginning. */
  resume(): void {
    for (const timer of this.#timers) this.#startTimer(timer);
  }

  #add(make: (id: number, key: string) => Notice, key: string, durationMs: number | null): number {
    for (const old of this.#notices) if (old.key === key) this.#remove(old.id);
    const id = this.#nextId++;
    this.#notices = [...this.#notices, make(id, key)].slice(-MAX_NOTICES);
    if (durationMs !== null) {
      const timer: Timer = { id, handle: undefined, durationMs };
      this.#timers = [...this.#timers, timer];
      this.#startTimer(timer);
    }
    return id;
  }

  #startTimer(timer: Timer): void {
    clearTimeout(timer.handle);
    timer.handle = setTimeout(() => {
      this.#remove(timer.id);
    }, timer.durationMs);
  }
}

function extrasOf({ action, onDismiss }: ErrorOptions): ErrorOptions {
  return { ...(action === undefined ? {} : { action }), ...(onDismiss === undefined ? {} : { onDismiss }) };
}
