import type { AppError } from '../core/errors';
import type { LocalModelAction, LocalModelsView } from '../core/local-model';
import type { Commands } from '../core/protocol';
import type { LocalRuntime } from '../providers/provider';

/** The commands about models on this device, and what they need of whoever has the engine. */
export interface LocalModels extends LocalRuntime {
  /** `isPage`: asked by this worker's page, so that it may be passed on to the tab that has the engine. */
  act(action: LocalModelAction, isPage: boolean, signal: AbortSignal): Promise<LocalModelsView>;
  addFile(args: { readonly file: Blob; readonly name: string }, isPage: boolean, signal: AbortSignal): Promise<LocalModelsView>;
  /**
   * Loads the model of new chats before it is asked, where the user wants that. Only one that is stored whole, and never one whose last load did
   * not come back: a page that dies of it would do so again with every start.
   */
  warmUp(): Promise<void>;
  /** Ends what this worker downloads; `reason` is told where each stands. What arrived stays. */
  pauseDownloads(reason: AppError): Promise<void>;
  /** Answers for another tab, through its channel. */
  serve(args: Commands['local-generate']['args'], signal: AbortSignal): Promise<null>;
}

/** Fetched with the first use, like everything that only some people need. What can't be fetched rejects; the next use tries again. */
export function lazyLocalModels(load: () => Promise<LocalModels>): LocalModels {
  let loaded: Promise<LocalModels> | undefined;
  const models = async (): Promise<LocalModels> => {
    loaded ??= load();
    try {
      return await loaded;
    } catch (error) {
      loaded = undefined;
      throw error;
    }
  };
  return {
    look: async () => (await models()).look(),
    act: async (...args) => (await models()).act(...args),
    addFile: async (...args) => (await models()).addFile(...args),
    warmUp: async () => (await models()).warmUp(),
    serve: async (...args) => (await models()).serve(...args),
    // What was never used fetches nothing.
    pauseDownloads: async (reason) => (await loaded)?.pauseDownloads(reason),
    async *generate(...args) {
      yield* (await models()).generate(...args);
    },
  };
}
