import { AppError, toAppError, toErrorData } from '../core/errors';
import { isOpenCall, isPending, type StepContent } from '../core/node';
import type { NodeEvent } from '../core/run-states';
import { advanceRun } from '../storage/runs';
import { withCalls, withoutOpenCalls } from './calls';
import { stampOf } from './environment';
import { positionOf } from './position';
import type { Audience, Publisher } from './publisher';
import { modelStep } from './step';
import { stepContent } from './step-content';
import { runCalls } from './tool-runner';
import type { TurnContext } from './turn-context';
import { markWaiting } from './waiting-calls';

// A model whose answers are cut again and again before a call is whole would go on for ever.
const MAX_CUT_STEPS = 3;

/** How a loop ended. The last step and the unsaved ones before it are still to be stored. */
export interface LoopEnd {
  readonly event: NodeEvent;
  readonly last: StepContent;
  readonly unsaved: readonly StepContent[];
}

/**
 * Asks the model, runs what it calls, and asks again, until it calls nothing more, the user has to decide, or a limit is reached. Finished steps are
 * stored as they come. Never throws: a failure or a stop is an end like any other, with everything that arrived.
 */
export async function runLoop(turn: TurnContext, publisher: Publisher, audience: Audience): Promise<LoopEnd> {
  const loop = new Loop(turn, publisher, audience);
  try {
    return await loop.run();
  } catch (error) {
    return loop.endBy(error);
  }
}

class Loop {
  readonly #turn: TurnContext;
  readonly #publisher: Publisher;
  readonly #audience: Audience;
  #finished: readonly StepContent[];
  #unsaved: readonly StepContent[] = [];
  #step: StepContent;
  #cutSteps = 0;
  #saveFailed = false;
  #isTurnOpen = false;

  constructor(turn: TurnContext, publisher: Publisher, audience: Audience) {
    this.#turn = turn;
    this.#publisher = publisher;
    this.#audience = audience;
    const position = positionOf(turn.steps);
    this.#finished = position.finished;
    this.#step = position.type === 'calls' ? position.step : { step: position.step, parts: position.continued };
  }

  async run(): Promise<LoopEnd> {
    const position = positionOf(this.#turn.steps);
    let isResumed = position.type === 'calls';
    let before = position.type === 'calls' ? undefined : position.before;
    for (;;) {
      const number = this.#step.step;
      this.#openTurn();
      if (!isResumed) {
        const ended = await this.#ask(number, before);
        if (ended !== null) return this.#end(ended);
        const pause = this.#pauseOf(number);
        if (pause !== null) return this.#end(pause);
      }
      isResumed = false;
      before = undefined;
      this.#step = await runCalls(this.#here(), this.#step, this.#publisher);
      this.#closeTurn();
      this.#cutSteps = this.#step.parts.some((part) => part.type === 'tool' && part.failure === 'arguments-truncated')
        ? this.#cutSteps + 1
        : 0;
      if (this.#cutSteps >= MAX_CUT_STEPS) return this.#end('complete');
      await this.#advance(number + 1);
    }
  }

  /** One model step. Null where it ended in calls; else how the answer ended with it. */
  async #ask(number: number, before: StepContent | undefined): Promise<NodeEvent | null> {
    const { events } = this.#turn;
    const continued = before?.parts ?? [];
    const finished = this.#finished;
    const turn: TurnContext = { ...this.#turn, steps: before === undefined ? finished : [...finished, before], continued };
    events.emit({ type: 'message_start', step: number });
    const result = await modelStep(turn, number, this.#publisher);
    this.#step = stepContent(this.#turn, this.#publisher, result, before);
    const { parts, usage, error } = this.#step;
    events.emit({
      type: 'message_end',
      step: number,
      parts,
      durationMs: this.#turn.now() - this.#publisher.startedAt,
      ...(usage === undefined ? {} : { usage }),
      ...(error === undefined ? {} : { error }),
    });
    if (result.failure !== null) return result.failure === 'stopped' ? 'interrupt' : 'fail';
    if (!parts.some(isOpenCall)) return 'complete';
    if (this.#turn.profile.toolTransport !== 'none') return null;
    this.#step = { ...this.#step, parts: withoutOpenCalls(parts) };
    return 'complete';
  }

  /** Why the calls of a step are not run now: the end of all steps, the user's word about some of them, or about going on. */
  #pauseOf(number: number): NodeEvent | null {
    const { maxSteps, askEvery } = this.#turn.profile;
    if (number + 1 >= maxSteps) {
      this.#step = { ...withCalls(this.#step, limited), error: toErrorData(new AppError('step-limit')) };
      return 'fail';
    }
    this.#step = markWaiting(this.#turn, this.#step);
    return this.#step.parts.some(isPending) || (number + 1) % askEvery === 0 ? 'await' : null;
  }

  /** The turn as the calls of the present step see it. */
  #here(): TurnContext {
    return { ...this.#turn, steps: this.#finished, continued: [] };
  }

  /** Stores what is finished and goes on to the next step. What can't be stored now is stored with the end. */
  async #advance(next: number): Promise<void> {
    const { environment } = this.#turn;
    await this.#publisher.handOver();
    this.#unsaved = [...this.#unsaved, this.#step];
    try {
      const isOurs = await advanceRun(environment.database, this.#publisher.rowOf(next), this.#unsaved, stampOf(environment));
      if (isOurs) this.#unsaved = [];
      else this.#audience.lost();
      this.#saveFailed = false;
    } catch (error) {
      if (!this.#saveFailed) this.#audience.notice(toAppError(error));
      this.#saveFailed = true;
    }
    this.#finished = [...this.#finished, this.#step];
    this.#step = { step: next, parts: [], model: this.#turn.model, startedAt: this.#turn.now() };
    this.#turn.signal.throwIfAborted();
  }

  #openTurn(): void {
    this.#isTurnOpen = true;
    this.#turn.events.emit({ type: 'turn_start', step: this.#step.step });
  }

  /** Once a turn, however it ends. */
  #closeTurn(): void {
    if (this.#isTurnOpen) this.#turn.events.emit({ type: 'turn_end', step: this.#step.step });
    this.#isTurnOpen = false;
  }

  #end(event: NodeEvent): LoopEnd {
    this.#closeTurn();
    return { event, last: this.#step, unsaved: this.#unsaved };
  }

  /** The user's stop while tools ran, or a fault of ours. */
  endBy(error: unknown): LoopEnd {
    const isStopped = this.#turn.signal.aborted;
    const failure = isStopped ? {} : { error: toErrorData(error) };
    const shown = this.#publisher.step === this.#step.step ? this.#publisher.shown : this.#step.parts;
    this.#step = { ...this.#step, parts: withoutOpenCalls(shown), endedAt: this.#step.endedAt ?? this.#turn.now(), ...failure };
    return this.#end(isStopped ? 'interrupt' : 'fail');
  }
}

function limited(call: Parameters<Parameters<typeof withCalls>[1]>[0]): typeof call {
  if (call.execution !== 'open') return call;
  return {
    ...call,
    execution: 'failed',
    failure: 'step-limit',
    result: { text: 'This call was not run: the answer had reached its limit of steps.', media: [] },
  };
}
