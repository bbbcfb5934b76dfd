import { LOCAL_ACCOUNT, modelInfoOf, type LocalModel, type LocalModelsView } from '../core/local-model';
import { stampOf, type Environment } from '../generation/environment';
import { CATALOGUE, customModel, modelFromFile } from '../local-models/catalogue';
import { readDevice } from '../local-models/device';
import { fitOf, smallerThan } from '../local-models/fit';
import { LocalHost } from '../local-models/host';
import { createModelStore } from '../local-models/model-store';
import { Records } from '../local-models/records';
import { readAccount, saveAccount } from '../storage/accounts';
import { saveModelList } from '../storage/model-lists';
import { readSettings } from '../storage/settings';
import { startEngine } from './engine-line';

/** Everything that has the engine of this browser profile; fetched with the first use of a model on this device. */
export async function openHost(environment: Environment, changed: (view: LocalModelsView) => void): Promise<LocalHost> {
  const { database } = environment;
  return LocalHost.open({
    catalogue: CATALOGUE,
    records: await Records.open(database),
    store: createModelStore({ gate: environment.gate, now: () => environment.elapsed() }),
    start: startEngine,
    schedule: (ms, callback) => environment.schedule(ms, callback),
    device: async () => readDevice(self),
    fit: fitOf,
    smaller: (model, view) => smallerThan(model, view.entries),
    custom: customModel,
    fromFile: modelFromFile,
    modelHost: async () => (await readSettings(database)).modelHost,
    now: () => environment.now(),
    changed,
    keepAccount: async (models) => keepAccount(environment, models),
  });
}

/** Models on this device are chosen like any other: through an account, which is made with the first of them, and its list. */
async function keepAccount(environment: Environment, models: readonly LocalModel[]): Promise<void> {
  const { database } = environment;
  if (models.length > 0 && (await readAccount(database, LOCAL_ACCOUNT.id)) === undefined) {
    await saveAccount(
      database,
      {
        ...LOCAL_ACCOUNT,
        preset: LOCAL_ACCOUNT.id,
        name: 'On this device',
        baseUrl: '',
        hasKey: false,
        streaming: true,
        reasoning: 'auto',
        sampling: {},
        headers: [],
        body: {},
        overrides: {},
      },
      undefined,
      stampOf(environment),
    );
  }
  await saveModelList(database, LOCAL_ACCOUNT.id, models.map(modelInfoOf), environment.now());
}
