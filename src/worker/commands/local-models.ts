import { AppError } from '../../core/errors';
import type { Commands } from '../../core/protocol';
import type { Command } from '../context';

type Act = Commands['local-models'];
type AddFile = Commands['add-model-file'];
type Generate = Commands['local-generate'];

/** What the user asks of the models on this device. */
export const localModels: Command<Act['args'], Act['result']> = async ({ action }, context, signal) =>
  context.localModels.act(action, context.isPage, signal);

/** Brings in a GGUF file of the user's. */
export const addModelFile: Command<AddFile['args'], AddFile['result']> = async ({ file, name }, context, signal) => {
  if (!(file instanceof Blob)) throw new AppError('model-file-invalid', { details: { name } });
  return context.localModels.addFile({ file, name }, context.isPage, signal);
};

/** One answer for another tab. */
export const localGenerate: Command<Generate['args'], Generate['result']> = async (args, context, signal) =>
  context.localModels.serve(args, signal);
