import { AppError } from '../core/errors';
import type { Commands } from '../core/protocol';
import { runLock, type Session } from '../generation/sessions';
import type { Command, OwnerCommand, WorkerContext } from './context';
import { isOwnerGone, ownerGone } from './neighbours';
import { closeLeftOpen } from './recovery';

// Between an owner's death and its lock being free lie milliseconds; a hand-over that takes over two seconds is a fault.
const OWNER_TRIES = 40;
const OWNER_WAIT_MS = 50;

type Handler<Args, Result> = (args: Args, call: { readonly signal: AbortSignal }) => Promise<Result>;

/** Serves a command in this worker. */
export function here<Args, Result>(ready: Promise<WorkerContext>, command: Command<Args, Result>): Handler<Args, Result> {
  return async (args, { signal }) => command(args, await ready, signal);
}

/**
 * Serves a command in the worker that owns the conversation: this one if the lock is free or already ours, else the other tab's. An owner
 * that dies before it answers is replaced, and the next one is asked the same: `complete` names what the command makes, so that it is made
 * once. Throws `owner-silent` when nobody could be found, and when the owner does not react.
 */
export function atOwner<K extends keyof Commands & string>(
  ready: Promise<WorkerContext>,
  name: K,
  command: OwnerCommand<Commands[K]['args'], Commands[K]['result']>,
  conversationOf: (args: Commands[K]['args']) => string,
  complete: (args: Commands[K]['args'], context: WorkerContext) => Commands[K]['args'] = (args) => args,
): Handler<Commands[K]['args'], Commands[K]['result']> {
  return async (given, { signal }) => {
    const context = await ready;
    const args = complete(given, context);
    const conversationId = conversationOf(args);
    for (let attempt = 0; attempt < OWNER_TRIES; attempt++) {
      try {
        const held = await context.sessions.acquire(conversationId);
        if (held !== null) return await asOwner(context, held, signal, (session) => command(args, context, session));
        const owner = context.isPage ? await context.neighbours.owner(runLock(conversationId)) : null;
        if (owner !== null) return await owner.call(name, args, signal);
      } catch (error) {
        if (!isOwnerGone(error)) throw error;
      }
      await context.environment.sleep(OWNER_WAIT_MS, signal);
    }
    throw new AppError('owner-silent', { retryable: true });
  };
}

/** Does what the owner of a conversation was asked, after everything that it was asked before. Throws as one who is gone where it is no more. */
async function asOwner<Result>(
  context: WorkerContext,
  held: { readonly session: Session; readonly release: () => void },
  signal: AbortSignal,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const { session } = held;
  try {
    return await session.inOrder(async () => {
      if (context.sessions.find(session.conversationId) !== session) throw ownerGone();
      await session.settle();
      if (session.running === undefined && !(await closeLeftOpen(context, session.conversationId))) throw ownerGone();
      // Who asked may have given up while this worker was frozen, and done it elsewhere.
      signal.throwIfAborted();
      return work(session);
    });
  } catch (error) {
    if (isOwnerGone(error)) context.sessions.forget(session);
    throw error;
  } finally {
    held.release();
  }
}
