import { Peer, type Handlers } from '../bridge/rpc';
import { AppError, isAbort } from '../core/errors';
import type { LocalEvent, LocalRequest } from '../core/local-model';
import type { EngineCommands, EngineEvents, EngineModel } from '../local-models/engine';
import type { RunningEngine } from '../local-models/running-engine';
import { webLocks, WORKER_LOCK } from './locks';

declare const self: DedicatedWorkerGlobalScope;

// Telling costs more than a token: what comes within this is told at once.
const GATHER_MS = 30;

let running: RunningEngine | undefined;
let answer: { readonly id: number; readonly controller: AbortController } | undefined;

const handlers: Handlers<EngineCommands> = {
  load: async (model) => {
    const before = running;
    running = undefined;
    await before?.end();
    running = await load(model);
    return running.loaded;
  },
  generate: async ({ id, request }) => {
    if (running === undefined) throw new AppError('model-load-failed');
    const controller = new AbortController();
    answer = { id, controller };
    return generate(running, id, request, controller.signal);
  },
  interrupt: async ({ id }) => {
    if (answer?.id === id) answer.controller.abort();
    return null;
  },
  'mlc-record': async ({ recordId }) => (await import('../local-models/web-llm-records')).readMlcRecord(recordId),
  'mlc-is-stored': async ({ recordId }) => (await import('../local-models/web-llm-records')).isMlcStored(recordId),
  'mlc-remove': async ({ recordId }) => {
    await (await import('../local-models/web-llm-records')).removeMlc(recordId);
    return null;
  },
};

const peer = new Peer<Record<never, never>, EngineCommands, EngineEvents, Record<never, never>>(self, handlers, () => undefined);
await webLocks.acquire(`${WORKER_LOCK}${self.name}`);
peer.emit('ready', {});

/** The packages are megabytes each, and nobody needs both. */
async function load(model: EngineModel): Promise<RunningEngine> {
  if (model.engine === 'wllama') return (await import('../local-models/wllama-engine')).loadWllama(model);
  return (await import('../local-models/web-llm-engine')).loadOnGpu(model, (progress) => {
    peer.emit('progress', { progress });
  });
}

async function generate(
  engine: RunningEngine,
  id: number,
  request: LocalRequest,
  signal: AbortSignal,
): Promise<Extract<LocalEvent, { type: 'finish' }>> {
  let gathered: LocalEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length > 0) peer.emit('output', { id, events: gathered });
    gathered = [];
  };
  let tokensPerSecond: number | null = null;
  try {
    for await (const { chunk, tokensPerSecond: measured } of engine.chunks(request, signal)) {
      gathered.push({ type: 'chunk', chunk });
      tokensPerSecond = measured ?? tokensPerSecond;
      timer ??= setTimeout(flush, GATHER_MS);
    }
  } catch (error) {
    if (!isAbort(error)) throw error;
  } finally {
    flush();
  }
  return { type: 'finish', isInterrupted: signal.aborted, tokensPerSecond };
}
