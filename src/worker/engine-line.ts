import { Peer } from '../bridge/rpc';
import { AppError } from '../core/errors';
import type { EngineCommands, EngineEvents } from '../local-models/engine';
import type { EngineDeskParts, EngineLine } from '../local-models/engine-desk';
import { WORKER_LOCK, webLocks } from './locks';

/**
 * Starts the engine's worker inside this one: it ends with it, and only the one who started a worker can end it for sure. Its death is
 * noticed by its lock, as the page notices ours.
 */
export const startEngine: EngineDeskParts['start'] = (hear, onDeath): EngineLine => {
  const name = `engine-${crypto.randomUUID()}`;
  const worker = new Worker(new URL('./local-engine.ts', import.meta.url), { type: 'module', name });
  let isEnded = false;
  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    worker.terminate();
    peer.close(new AppError('worker-died'));
  };
  const die = (): void => {
    if (isEnded) return;
    end();
    onDeath();
  };
  const peer = new Peer<EngineCommands, Record<never, never>, Record<never, never>, EngineEvents>(worker, {}, (event, payload) => {
    if (event === 'ready') void webLocks.whenFree(`${WORKER_LOCK}${name}`).then(die);
    hear(event, payload);
  });
  // One whose script can't be fetched or run never gets as far as its lock.
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    die();
  });
  return { call: async (command, args) => peer.call(command, args), end };
};
