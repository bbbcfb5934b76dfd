import { LOCAL_ACCOUNT } from '../core/local-model';
import { readSettings } from '../storage/settings';
import { listLocalModels } from '../storage/local-models';
import type { WorkerContext } from './context';

/**
 * Loads the model of new chats before it is asked, where the user wants that. Only one that is stored whole, and never one whose last load
 * did not come back: a page that dies of it would do so again with every start.
 */
export async function warmUp(context: WorkerContext): Promise<void> {
  const { database } = context.environment;
  const { warmUpModel, defaultModel } = await readSettings(database);
  if (!warmUpModel || defaultModel?.accountId !== LOCAL_ACCOUNT.id) return;
  const records = await listLocalModels(database);
  const record = records.find(({ model }) => model.id === defaultModel.modelId);
  if (record === undefined || !record.isComplete || record.isLoading) return;
  await context.localModels.act({ type: 'load', modelId: record.model.id }, true, new AbortController().signal);
}
