import type { Commands } from '../../core/protocol';
import { regenerate as regenerateAnswer } from '../../generation/entries';
import type { OwnerCommand } from '../context';

type Regenerate = Commands['regenerate'];

/** Another answer beside the ones that are there. */
export const regenerate: OwnerCommand<Regenerate['args'], Regenerate['result']> = async (args, context, session) =>
  regenerateAnswer(context, session, args.nodeId, args.model);
