import { runLock } from '../../generation/sessions';
import type { RunSnapshot } from '../../core/run';
import type { Command } from '../context';
import { isOwnerSilent } from '../neighbours';

type Watch = { conversationId: string };

/** Subscribes the caller to a conversation's run, wherever it runs, and returns how it stands. */
export const watch: Command<Watch, RunSnapshot | null> = async ({ conversationId }, context, signal) => {
  context.audience.watch(conversationId, context.caller);
  const runningHere = (): RunSnapshot | null => context.sessions.find(conversationId)?.running?.publisher.snapshot() ?? null;
  const now = runningHere();
  if (now !== null || !context.isPage) return now;
  const owner = await context.neighbours.owner(runLock(conversationId));
  // One may have begun here while the owner was looked for: "nothing runs" would end what the page already shows of it.
  if (owner === null) return runningHere();
  const snapshot = await unlessSilent(owner.call('watch', { conversationId }, signal));
  if (snapshot !== null) context.heard.note(snapshot);
  return snapshot;
};

/** Ends a subscription. A run goes on. */
export const unwatch: Command<Watch, null> = async ({ conversationId }, context, signal) => {
  context.audience.unwatch(conversationId, context.caller);
  if (!context.isPage) return null;
  const owner = await context.neighbours.owner(runLock(conversationId));
  return owner === null ? null : unlessSilent(owner.call('unwatch', { conversationId }, signal));
};

/** Where the owner is dead or frozen nothing is written now: whoever closes its answer tells of the end, and one that thaws tells how it goes on. */
async function unlessSilent<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isOwnerSilent(error)) return null;
    throw error;
  }
}
