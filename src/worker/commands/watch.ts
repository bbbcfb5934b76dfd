import { runLock } from '../../generation/sessions';
import type { RunSnapshot } from '../../core/run';
import type { Command } from '../context';

type Watch = { conversationId: string };

/** Subscribes the caller to a conversation's run, wherever it runs, and returns how it stands. */
export const watch: Command<Watch, RunSnapshot | null> = async ({ conversationId }, context, signal) => {
  context.audience.watch(conversationId, context.caller);
  const running = context.sessions.find(conversationId)?.running;
  if (running !== undefined) return running.publisher.snapshot();
  if (!context.isPage) return null;
  const owner = await context.neighbours.owner(runLock(conversationId));
  return owner === null ? null : owner.call('watch', { conversationId }, signal);
};

/** Ends a subscription. A run goes on. */
export const unwatch: Command<Watch, null> = async ({ conversationId }, context, signal) => {
  context.audience.unwatch(conversationId, context.caller);
  if (!context.isPage) return null;
  const owner = await context.neighbours.owner(runLock(conversationId));
  return owner === null ? null : owner.call('unwatch', { conversationId }, signal);
};
