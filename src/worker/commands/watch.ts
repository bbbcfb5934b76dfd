import { runLock } from '../../generation/sessions';
import type { RunSnapshot } from '../../core/run';
import type { Command } from '../context';
import { isOwnerSilent } from '../neighbours';

type Watch = { conversationId: string };

// Each time the conversation has to change hands in the milliseconds of one call.
const ATTEMPTS = 3;

/** Subscribes the caller to a conversation's run, wherever it runs, and returns how it stands. */
export const watch: Command<Watch, RunSnapshot | null> = async ({ conversationId }, context, signal) => {
  context.audience.watch(conversationId, context.caller);
  const runningHere = (): RunSnapshot | null => context.sessions.find(conversationId)?.running?.publisher.snapshot() ?? null;
  const now = runningHere();
  if (now !== null || !context.isPage) return now;
  for (let attempt = 1; ; attempt++) {
    const before = context.heard.current(conversationId);
    const owner = await context.neighbours.owner(runLock(conversationId));
    // One may have begun here while the owner was looked for: "nothing runs" would end what the page already shows of it.
    if (owner === null) return runningHere();
    const snapshot = await unlessSilent(owner.call('watch', { conversationId }, signal));
    const heard = context.heard.current(conversationId);
    // What began or ended elsewhere meanwhile is newer than this answer, which may have been on its way for long.
    if (heard !== before && heard !== snapshot?.runId && attempt < ATTEMPTS) continue;
    if (snapshot === null || context.heard.isOver(snapshot)) return null;
    context.heard.note(snapshot);
    return snapshot;
  }
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
