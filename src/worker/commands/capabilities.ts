import type { ModelCapabilities } from '../../core/account';
import type { ModelReference } from '../../core/node';
import { describeModel } from '../../generation/model-choice';
import type { Command } from '../context';

/** What a model can take: the user's word, else the provider's list, else the catalogue. */
export const capabilities: Command<ModelReference, ModelCapabilities> = async (model, { environment }) =>
  (await describeModel(environment, model)).capabilities;
