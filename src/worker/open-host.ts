import { newAccount } from '../core/account';
import { LOCAL_ACCOUNT, modelInfoOf, type LocalModel, type LocalModelsView } from '../core/local-model';
import { stampOf, type Environment } from '../generation/environment';
import { CATALOGUE, customModel, modelFromFile } from '../local-models/catalogue';
import { readDevice } from '../local-models/device';
import { fitOf, smallerThan } from '../local-models/fit';
import { LocalHost } from '../local-models/host';
import { createModelStore } from '../local-models/model-store';
import { Records } from '../local-models/records';
import { readAccount, saveAccount } from '../storage/accounts';
import { listLocalModels } from '../storage/local-models';
import { saveModelList } from '../storage/model-lists';
import { readSettings } from '../storage/settings';
import type { Listener } from './audience';
import type { WorkerContext } from './context';
import { startEngine } from './engine-line';
import { webLocks } from './locks';
import { engineOwner, SharedLocalModels } from './shared-local-models';

/** Models on this device for the worker of `context`; `page` hears of every change, and so does every other tab. */
export function openLocalModels(context: WorkerContext, page: Listener): SharedLocalModels {
  const { environment, neighbours } = context;
  return new SharedLocalModels({
    locks: webLocks,
    owner: async (lock) => {
      const owner = await neighbours.owner(lock);
      return owner === null ? null : engineOwner(owner);
    },
    openHost: async (changed) => openHost(environment, changed),
    openChannel: (name) => new BroadcastChannel(`jackdaw-answer:${name}`),
    sleep: (ms, signal) => environment.sleep(ms, signal),
    newId: () => environment.newId(),
    warmUpModel: async () => warmUpModel(environment),
    emit: (event, payload) => {
      page.emit(event, payload);
      neighbours.emit(event, payload);
    },
  });
}

async function openHost(environment: Environment, changed: (view: LocalModelsView) => void): Promise<LocalHost> {
  const { database } = environment;
  return LocalHost.open({
    catalogue: CATALOGUE,
    records: await Records.open(database),
    store: createModelStore(environment.gate, () => environment.elapsed()),
    start: startEngine,
    schedule: (ms, callback) => environment.schedule(ms, callback),
    device: async () => readDevice(self),
    fit: fitOf,
    smaller: (model, view) => smallerThan(model, view.entries),
    custom: customModel,
    fromFile: modelFromFile,
    modelHost: async () => (await readSettings(database)).modelHost,
    changed,
    keepAccount: async (models) => keepAccount(environment, models),
  });
}

/** A page that dies of a load would do so again with every start: a model whose last one did not come back waits for the user. */
async function warmUpModel({ database }: Environment): Promise<string | null> {
  const { warmUpModel: isWanted, defaultModel } = await readSettings(database);
  if (!isWanted || defaultModel?.accountId !== LOCAL_ACCOUNT.id) return null;
  const records = await listLocalModels(database);
  const record = records.find(({ model }) => model.id === defaultModel.modelId);
  return record?.isComplete === true && !record.isLoading ? record.model.id : null;
}

/** Models on this device are chosen like any other: through an account, which is made with the first of them, and its list. */
async function keepAccount(environment: Environment, models: readonly LocalModel[]): Promise<void> {
  const { database } = environment;
  if (models.length > 0 && (await readAccount(database, LOCAL_ACCOUNT.id)) === undefined) {
    await saveAccount(
      database,
      newAccount({ ...LOCAL_ACCOUNT, preset: LOCAL_ACCOUNT.id, name: 'On this device', baseUrl: '' }),
      undefined,
      stampOf(environment),
    );
  }
  await saveModelList(database, LOCAL_ACCOUNT.id, models.map(modelInfoOf), environment.now());
}
