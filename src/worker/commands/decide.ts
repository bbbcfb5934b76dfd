import type { Commands } from '../../core/protocol';
import type { OwnerCommand } from '../context';
import { loadAnswering } from '../load-answering';

type Decide = Commands['decide'];
type Clock = Commands['question-clock'];

/** The user's word about a call; the answer goes on where nothing waits any more. */
export const decide: OwnerCommand<Decide['args'], Decide['result']> = async (args, context, session) => {
  await (await loadAnswering()).decide(context, session, args, args.decision);
  return null;
};

/** Stops or starts the clock of a question, or takes it away. */
export const questionClock: OwnerCommand<Clock['args'], Clock['result']> = async (args, context, session) => {
  await (await loadAnswering()).setQuestionClock(context, session, args, args.action);
  return null;
};

/** A question's time ran out: it is answered as it recommends. */
export const expireQuestion: OwnerCommand<Commands['expire-question']['args'], null> = async (args, context, session) => {
  await (await loadAnswering()).expireQuestion(context, session, args);
  return null;
};
