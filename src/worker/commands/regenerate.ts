import type { Commands } from '../../core/protocol';
import { regenerate as regenerateAnswer } from '../../generation/entries';
import type { OwnerCommand, WorkerContext } from '../context';

type Regenerate = Commands['regenerate'];

/** The same command, with the name of the answer that it makes. */
export function withAnswerId(args: Regenerate['args'], { environment }: WorkerContext): Regenerate['args'] & { answerId: string } {
  return { ...args, answerId: args.answerId ?? environment.newId() };
}

/** Another answer beside the ones that are there. */
export const regenerate: OwnerCommand<Regenerate['args'], Regenerate['result']> = async (args, context, session) =>
  regenerateAnswer(context, session, args.nodeId, withAnswerId(args, context));
