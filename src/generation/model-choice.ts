import type { Account, ModelCapabilities } from '../core/account';
import { AppError } from '../core/errors';
import type { ModelReference } from '../core/node';
import type { Provider } from '../providers/provider';
import { readAccount } from '../storage/accounts';
import { readConversation } from '../storage/conversations';
import { readModelList } from '../storage/model-lists';
import { readSettings } from '../storage/settings';
import type { Environment } from './environment';

/** A model with everything that a turn needs to know of it. */
export interface ModelChoice {
  readonly model: ModelReference;
  readonly account: Account;
  readonly provider: Provider;
  readonly capabilities: ModelCapabilities;
}

/**
 * The model of a turn: the one asked for, else the conversation's, else the default one.
 * Throws `model-missing` where none is chosen and `account-missing` where its account is gone.
 */
export async function chooseModel(
  environment: Environment,
  conversationId: string | null,
  requested: ModelReference | null,
): Promise<ModelChoice> {
  const { database } = environment;
  const stored = conversationId === null ? undefined : await readConversation(database, conversationId);
  const model = requested ?? stored?.model ?? (await readSettings(database)).defaultModel;
  if (model === null) throw new AppError('model-missing');
  return describeModel(environment, model);
}

/** The account, provider and abilities of a model. Throws `account-missing`. */
export async function describeModel(environment: Environment, model: ModelReference): Promise<ModelChoice> {
  const { database } = environment;
  const account = await readAccount(database, model.accountId);
  if (account === undefined) throw new AppError('account-missing');
  const provider = findProvider(environment, account.provider);
  const listed = (await readModelList(database, account.id))?.find((candidate) => candidate.id === model.modelId);
  return { model, account, provider, capabilities: await provider.capabilities(model.modelId, account, listed) };
}

/** The provider of an account. Throws `account-missing` for one that this version doesn't know. */
export function findProvider(environment: Environment, id: string): Provider {
  const provider = environment.providers.find((candidate) => candidate.id === id);
  if (provider === undefined) throw new AppError('account-missing', { details: { provider: id } });
  return provider;
}
