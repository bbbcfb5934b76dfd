import { chatModels, type ModelInfo } from '../../core/account';
import { AppError } from '../../core/errors';
import { findProvider } from '../../generation/model-choice';
import { providerIo } from '../../generation/provider-io';
import { readAccount, readKey } from '../../storage/accounts';
import { readModelList, saveModelList } from '../../storage/model-lists';
import type { Command } from '../context';

/** The models of an account that can chat: of the stored list, or the server's when asked to refresh or when none is stored. All of it is kept. */
export const listModels: Command<{ accountId: string; refresh: boolean }, readonly ModelInfo[]> = async (args, { environment }, signal) => {
  const { database } = environment;
  const account = await readAccount(database, args.accountId);
  if (account === undefined) throw new AppError('account-missing');
  const stored = args.refresh ? undefined : await readModelList(database, account.id);
  if (stored !== undefined) return chatModels(stored);
  const io = providerIo(environment, await readKey(database, account.id), signal);
  const models = await findProvider(environment, account.provider).listModels(account, io);
  await saveModelList(database, account.id, models, environment.now());
  return chatModels(models);
};
