import type { Commands } from '../../core/protocol';
import type { OwnerCommand, WorkerContext } from '../context';
import { loadAnswering } from '../load-answering';

type Regenerate = Commands['regenerate'];

/** The same command, with the name of the answer that it makes. */
export function withAnswerId(args: Regenerate['args'], { environment }: WorkerContext): Regenerate['args'] & { answerId: string } {
  return { ...args, answerId: args.answerId ?? environment.newId() };
}

/** Another answer beside the ones that are there. */
export const regenerate: OwnerCommand<Regenerate['args'], Regenerate['result']> = async (args, context, session) =>
  (await loadAnswering()).regenerate(context, session, args.nodeId, withAnswerId(args, context));
