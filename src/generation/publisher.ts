import { toAppError, type AppError } from '../core/errors';
import type { LocalWait } from '../core/local-model';
import type { FinishReason, Part, Usage } from '../core/node';
import { diffParts, type RetryNotice, type RunDelta, type RunPhase, type RunSnapshot } from '../core/run';
import { nextRunState, type RunEvent, type RunState } from '../core/run-states';
import type { RunRow } from '../storage/db';
import { updateRun } from '../storage/runs';
import type { TurnContext } from './turn-context';

// Provider events are gathered for 40 ms, tabs hear of them every 150 ms: each time costs a frame of the whole page, and seven a second read as
// smooth as twelve.
const COALESCE_MS = 40;
const PUBLISH_MS = 150;
// "On disk at most one second late": what is written can be 40 + 150 ms older than the write, which takes its time where a page is busy.
const SAVE_MS = 500;

export interface Audience {
  started(snapshot: RunSnapshot): void;
  delta(delta: RunDelta): void;
  notice(error: AppError): void;
  /** Another tab has closed this run: the conversation is no longer this worker's. */
  lost(): void;
}

/** The state of a run, and where its parts are seen and saved while it lives. One a run; `close` ends the publishing, `end` the run. */
export class Publisher {
  readonly #turn: TurnContext;
  readonly #audience: Audience;
  #startedAt: number;
  #view: () => readonly Part[];
  #seen: readonly Part[];
  #finishReason: FinishReason | undefined;
  #revision = 0;
  #state: RunState = 'preparing';
  #step = 0;
  #usage: Usage | undefined;
  #retry: RetryNotice | undefined;
  #wait: LocalWait | undefined;
  #firstOutputAt: number | undefined;
  // By `elapsed`, like all that is only compared.
  #lastPublishMs = -Infinity;
  #lastSaveMs: number;
  #cancelPublish: (() => void) | undefined;
  #publishDueMs = Infinity;
  #cancelSave: (() => void) | undefined;
  #saving: Promise<void> = Promise.resolve();
  #saveFailed = false;

  /** `start`: the step that the run goes on in, and what stands in it. */
  constructor(turn: TurnContext, audience: Audience, start: { readonly step: number; readonly parts: readonly Part[] }) {
    this.#turn = turn;
    this.#audience = audience;
    this.#startedAt = turn.now();
    this.#lastSaveMs = turn.environment.elapsed();
    this.#step = start.step;
    this.#seen = start.parts;
    this.#view = () => start.parts;
  }

  /** Begins a step; `view` gives its visible parts and is called once a publish, not once an event. Told at once, like every new state. */
  begin(step: number, view: () => readonly Part[]): void {
    if (step !== this.#step) this.#leaveStep(step);
    this.#view = view;
    this.#move('request');
    this.#publish();
  }

  /** The model has said everything of this step; its calls are run now. */
  work(finishReason: FinishReason | null, view: () => readonly Part[]): void {
    this.#finishReason = finishReason ?? 'other';
    this.#view = view;
    this.#move('work');
    this.#publish();
  }

  /** Has the newest state on disk before it resolves. A failure is told as any other failed save. */
  async saveNow(): Promise<void> {
    this.#cancelSave?.();
    this.#cancelSave = undefined;
    this.#seen = this.#view();
    this.#lastSaveMs = this.#turn.environment.elapsed();
    this.#saving = this.#saving.then(() => this.#save());
    await this.#saving;
  }

  /** Shows the newest state and waits for a save that is under way; nothing of this step is saved from here any more. */
  async handOver(): Promise<void> {
    this.#publish();
    this.#cancelSave?.();
    this.#cancelSave = undefined;
    await this.#saving;
  }

  /** The parts of the present step as they were last shown. */
  get shown(): readonly Part[] {
    return this.#view();
  }

  /** The row that the next step begins with. */
  rowOf(step: number): RunRow {
    const { conversationId, runId, nodeId, model } = this.#turn;
    const at = this.#turn.now();
    return { conversationId, runId, nodeId, savedAt: at, body: { step, parts: [], model, startedAt: at } };
  }

  /** What the last step has become is shown before anything of the next one is. */
  #leaveStep(step: number): void {
    this.#publish();
    this.#cancelSave?.();
    this.#cancelSave = undefined;
    this.#step = step;
    this.#seen = [];
    this.#usage = undefined;
    this.#firstOutputAt = undefined;
    this.#finishReason = undefined;
    this.#startedAt = this.#turn.now();
  }

  /** The request failed and is made again later. */
  pause(retry: RetryNotice): void {
    this.#move('pause');
    this.#retry = retry;
    this.#publish();
  }

  /** The pause ends at another time of day than was told: the clock was set. */
  correct(retry: RetryNotice): void {
    this.#retry = retry;
    this.#publish();
  }

  /** Why a model on this device has not begun; told at once, and forgotten with the next state. */
  wait(wait: LocalWait): void {
    this.#wait = wait;
    this.#publishSoon(true);
  }

  /** The pause is over. */
  resume(): void {
    this.#move('request');
    this.#publish();
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** Counts arrived; the newest win. */
  report(usage: Usage): void {
    this.#usage = usage;
    this.#publishSoon(false);
  }

  get firstOutputAt(): number | undefined {
    return this.#firstOutputAt;
  }

  get startedAt(): number {
    return this.#startedAt;
  }

  get step(): number {
    return this.#step;
  }

  /**
   * The parts changed. `hasOutput`: something in them is what the user waits for. `isStructural`: a part began or ended, so that it is shown
   * without waiting for the next tick.
   */
  changed({ isStructural, hasOutput }: { readonly isStructural: boolean; readonly hasOutput: boolean }): void {
    if (hasOutput) {
      this.#move('output');
      this.#firstOutputAt ??= this.#turn.now();
    }
    this.#publishSoon(isStructural);
  }

  #publishSoon(isStructural: boolean): void {
    const nowMs = this.#turn.environment.elapsed();
    const dueMs = isStructural ? nowMs + COALESCE_MS : Math.max(nowMs + COALESCE_MS, this.#lastPublishMs + PUBLISH_MS);
    if (dueMs >= this.#publishDueMs) return;
    this.#cancelPublish?.();
    this.#publishDueMs = dueMs;
    this.#cancelPublish = this.#turn.environment.schedule(dueMs - nowMs, () => {
      this.#publish();
    });
  }

  /** The run as a tab that has just come needs it. */
  snapshot(): RunSnapshot {
    return {
      runId: this.#turn.runId,
      conversationId: this.#turn.conversationId,
      nodeId: this.#turn.nodeId,
      revision: this.#revision,
      phase: this.#phase,
      step: this.#step,
      parts: this.#seen,
      model: this.#turn.model,
      startedAt: this.#startedAt,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#retry === undefined ? {} : { retry: this.#retry }),
      ...(this.#wait === undefined ? {} : { wait: this.#wait }),
    };
  }

  /** Shows the newest state now and waits for a save that is under way. Nothing is published after `close`. */
  async close(): Promise<void> {
    this.#move('close');
    this.#publish();
    this.#cancelSave?.();
    await this.#saving;
  }

  /** The answer is stored, or is owed to the disk. */
  end(): void {
    this.#move('end');
  }

  get #phase(): RunPhase {
    return this.#state === 'ended' ? 'finishing' : this.#state;
  }

  get #isClosed(): boolean {
    return this.#state === 'finishing' || this.#state === 'ended';
  }

  #move(event: RunEvent): void {
    this.#state = nextRunState(this.#state, event);
    this.#retry = undefined;
    this.#wait = undefined;
  }

  #publish(): void {
    this.#cancelPublish?.();
    this.#cancelPublish = undefined;
    this.#publishDueMs = Infinity;
    const parts = this.#view();
    const changes = diffParts(this.#seen, parts);
    this.#seen = parts;
    if (changes.length > 0 && this.#state === 'streaming') this.#turn.events.emit({ type: 'message_update', step: this.#step, parts });
    this.#revision += 1;
    this.#lastPublishMs = this.#turn.environment.elapsed();
    this.#audience.delta({
      runId: this.#turn.runId,
      conversationId: this.#turn.conversationId,
      nodeId: this.#turn.nodeId,
      revision: this.#revision,
      phase: this.#phase,
      step: this.#step,
      startedAt: this.#startedAt,
      changes,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#retry === undefined ? {} : { retry: this.#retry }),
      ...(this.#wait === undefined ? {} : { wait: this.#wait }),
    });
    if (changes.length > 0 && !this.#isClosed) this.#scheduleSave();
  }

  #scheduleSave(): void {
    if (this.#cancelSave !== undefined) return;
    const waitMs = Math.max(0, this.#lastSaveMs + SAVE_MS - this.#turn.environment.elapsed());
    this.#cancelSave = this.#turn.environment.schedule(waitMs, () => {
      this.#cancelSave = undefined;
      this.#lastSaveMs = this.#turn.environment.elapsed();
      this.#saving = this.#saving.then(() => this.#save());
    });
  }

  /** A failed save doesn't end the run: the text stays on the page, the user is told once, and the next save tries again. */
  async #save(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const isOurs = await updateRun(this.#turn.environment.database, {
        conversationId: this.#turn.conversationId,
        runId: this.#turn.runId,
        nodeId: this.#turn.nodeId,
        savedAt: this.#turn.now(),
        body: {
          step: this.#step,
          parts: this.#seen,
          model: this.#turn.model,
          startedAt: this.#startedAt,
          ...(this.#usage === undefined ? {} : { usage: this.#usage }),
          ...(this.#firstOutputAt === undefined ? {} : { firstOutputAt: this.#firstOutputAt }),
          ...(this.#finishReason === undefined ? {} : { finishReason: this.#finishReason }),
        },
      });
      this.#saveFailed = false;
      if (!isOurs) this.#audience.lost();
    } catch (error) {
      if (!this.#saveFailed) this.#audience.notice(toAppError(error));
      this.#saveFailed = true;
      // Also where nothing more comes that would save.
      if (!this.#isClosed) this.#scheduleSave();
    }
  }
}
