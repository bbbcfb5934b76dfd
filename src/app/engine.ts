import type { AppError } from '../core/errors';
import type { Commands, Events } from '../core/protocol';

type EventListener = <K extends keyof Events>(name: K, payload: Events[K]) => void;

/** The page's side of the generation worker: starts it, restarts it when it died, and holds the port. */
export class Engine {
  /** Runs a command in the worker. Throws its AppError, `worker-died` when it ended meanwhile, or the signal's reason. */
  async call<K extends keyof Commands & string>(_name: K, _args: Commands[K]['args'], _signal?: AbortSignal): Promise<Commands[K]['result']> {
    throw new Error('not wired');
  }

  /** Hears every event of the worker until the returned function is called. */
  listen(_listener: EventListener): () => void {
    return () => undefined;
  }

  /** Called with the reason each time the worker died; it has been started again by then. */
  onRestart(_listener: (error: AppError) => void): () => void {
    return () => undefined;
  }
}
