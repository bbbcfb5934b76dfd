import { chatModels } from '../../core/account';
import { isAbort, toErrorData } from '../../core/errors';
import type { Commands, ConnectionReport } from '../../core/protocol';
import { findProvider } from '../../generation/model-choice';
import { providerIo } from '../../generation/provider-io';
import { diagnose } from '../../outbound/diagnose';
import { readKey } from '../../storage/accounts';
import type { Command, WorkerContext } from '../context';

type Test = Commands['test-connection'];

/** Asks an account's server for its models and names the one cause that fits best when that fails. Nothing is stored. */
export const testConnection: Command<Test['args'], Test['result']> = async (args, context, signal) => {
  const beganMs = context.environment.elapsed();
  const report = (rest: Pick<ConnectionReport, 'ok' | 'models' | 'error'>): ConnectionReport => ({
    ...rest,
    durationMs: Math.round(context.environment.elapsed() - beganMs),
  });
  try {
    return report({ ok: true, models: await askForModels(args, context, signal) });
  } catch (error) {
    if (isAbort(error)) throw error;
    return report({
      ok: false,
      models: [],
      error: toErrorData(error),
    });
  }
};

async function askForModels(args: Test['args'], { environment }: WorkerContext, signal: AbortSignal): Promise<ConnectionReport['models']> {
  const { gate, surroundings } = environment;
  const key = args.key ?? (args.account.hasKey ? await readKey(environment.database, args.account.id) : null);
  const provider = findProvider(environment, args.account.provider);
  try {
    return chatModels(await provider.listModels(args.account, providerIo(environment, key, signal)));
  } catch (error) {
    signal.throwIfAborted();
    throw await diagnose({ url: await provider.modelsUrl(args.account), error, hasKey: key !== null }, gate, surroundings, signal);
  }
}
