// A worker answers in milliseconds. One that says nothing for so long, and nothing for as long again after it was asked whether it is there, is
// frozen; asking in between leaves room for this tab itself having slept.
const PATIENCE_MS = 2500;

/** How another worker is reached. */
export interface Line {
  /** Resolves when the other worker says that it is there; rejects when it is gone or `signal` fires. */
  ping(signal: AbortSignal): Promise<unknown>;
  /** What it means that it doesn't react. */
  failure(): Promise<Error>;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Makes a call and waits for its answer as long as the other worker shows that it is there. After that the call is taken back, and what `line`
 * calls its failure is thrown. `call` gets a signal that fires then, and when `signal` does.
 */
export async function callPatiently<T>(line: Line, call: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const answered = new AbortController();
  const givenUp = new AbortController();
  const forward = (): void => {
    givenUp.abort(signal?.reason);
  };
  if (signal?.aborted === true) forward();
  signal?.addEventListener('abort', forward, { once: true });
  void isSilent(line, answered.signal).then(async (silent) => {
    if (silent) givenUp.abort(await line.failure());
  });
  try {
    return await call(givenUp.signal);
  } finally {
    answered.abort();
    signal?.removeEventListener('abort', forward);
  }
}

/** Resolves true once the other worker does not react, false once the call was answered. */
async function isSilent(line: Line, answered: AbortSignal): Promise<boolean> {
  const isAnsweredWithin = (ms: number): Promise<boolean> =>
    line.sleep(ms, answered).then(
      () => false,
      () => true,
    );
  // It is there, or it is gone and the call says so itself.
  const isThere = (): Promise<boolean> =>
    line.ping(answered).then(
      () => true,
      () => true,
    );
  while (!(await isAnsweredWithin(PATIENCE_MS))) {
    if (!(await Promise.race([isThere(), isAnsweredWithin(PATIENCE_MS)]))) return true;
  }
  return false;
}
