import type { DiagnosisEnvironment } from '../outbound/diagnose';
import type { Gate } from '../outbound/gate';
import type { BrowserModelPage, LocalRuntime, Provider } from '../providers/provider';
import type { DebugLog } from './hooks/debug-log';
import type { RunSubscriber } from './hooks/events';
import type { AnyTool } from '../tools/tool';
import type { JackdawDatabase } from '../storage/db';
import type { Stamp } from '../storage/stamp';

/** Everything a turn takes from the outside: only `worker/generation.ts` makes the real one. */
export interface Environment {
  readonly database: JackdawDatabase;
  readonly gate: Gate;
  /** What a connection test may know of the browser around it. */
  readonly surroundings: DiagnosisEnvironment;
  readonly providers: readonly Provider[];
  /** The engine for models on this device. */
  readonly local: LocalRuntime;
  /** The page of this worker, for the browser's own model. */
  readonly page: BrowserModelPage;
  /** Every tool of the app; fetched with the first turn that has tools. Rejects where it can't be fetched. */
  tools(): Promise<readonly AnyTool[]>;
  /** Where runs in agent-dev are written down; null: nowhere. */
  readonly debugLog: DebugLog | null;
  /** Who hears of everything that happens in every run. */
  readonly runSubscribers: readonly RunSubscriber[];
  /** IANA name of the user's time zone. */
  timeZone(): string;
  readonly device: string;
  /** Epoch ms, as the user's clock has it: it may be set forward or back at any time. */
  now(): number;
  /** Milliseconds that only grow, whatever is done to the clock: for intervals and durations. */
  elapsed(): number;
  newId(): string;
  /** 0 ≤ x < 1. */
  random(): number;
  /** Resolves after `ms`; rejects with the signal's reason once it fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back once after `ms` unless cancelled by the returned function. */
  schedule(ms: number, callback: () => void): () => void;
}

/** The present moment as storage wants it. */
export function stampOf(environment: Environment): Stamp {
  return { at: environment.now(), device: environment.device };
}
