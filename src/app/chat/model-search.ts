import type { ModelReference } from '../../core/node';
import type { ModelInfo } from '../../core/account';
import type { AccountModels } from './model-directory.svelte';

/** What the picker offers: a listed model, or the typed text as the exact name of a model that no list names. */
export type ModelOption =
  | { readonly type: 'listed'; readonly key: string; readonly reference: ModelReference; readonly model: ModelInfo }
  | { readonly type: 'typed'; readonly key: string; readonly reference: ModelReference; readonly accountName: string };

export interface ModelGroup {
  readonly account: AccountModels['account'];
  /** The account was asked for its list. */
  readonly isListed: boolean;
  readonly options: readonly ModelOption[];
}

/** Each account with those of its models that hold every word of `query` in name, id or the account's name. Empty groups stay while nothing is searched. */
export function searchModels(accounts: readonly AccountModels[], query: string): readonly ModelGroup[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const typed = query.trim();
  return accounts
    .map(({ account, models }): ModelGroup => {
      const found = (models ?? []).filter((model) => {
        const text = `${model.name} ${model.id} ${account.name}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      const options = found.map((model): ModelOption => {
        const reference = { accountId: account.id, modelId: model.id };
        return { type: 'listed', key: `${account.id}/${model.id}`, reference, model };
      });
      return { account, isListed: models !== null, options: [...options, ...typedOption(account, models ?? [], typed)] };
    })
    .filter((group) => typed === '' || group.options.length > 0);
}

function typedOption(account: AccountModels['account'], models: readonly ModelInfo[], typed: string): readonly ModelOption[] {
  // Names of models hold no spaces; a phrase is a search.
  if (typed === '' || /\s/.test(typed) || models.some((model) => model.id === typed)) return [];
  return [{ type: 'typed', key: `${account.id}?`, reference: { accountId: account.id, modelId: typed }, accountName: account.name }];
}
