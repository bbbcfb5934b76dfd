import type { Commands } from '../../core/protocol';
import { decide as takeDecision, expireQuestion as takeDefaults, setQuestionClock } from '../../generation/decisions';
import type { OwnerCommand } from '../context';

type Decide = Commands['decide'];
type Clock = Commands['question-clock'];

/** The user's word about a call; the answer goes on where nothing waits any more. */
export const decide: OwnerCommand<Decide['args'], Decide['result']> = async (args, context, session) => {
  await takeDecision(context, session, args, args.decision);
  return null;
};

/** Stops or starts the clock of a question, or takes it away. */
export const questionClock: OwnerCommand<Clock['args'], Clock['result']> = async (args, context, session) => {
  await setQuestionClock(context, session, args, args.action);
  return null;
};

/** A question's time ran out: it is answered as it recommends. */
export const expireQuestion: OwnerCommand<Commands['expire-question']['args'], null> = async (args, context, session) => {
  await takeDefaults(context, session, args);
  return null;
};
