import { AppError } from './errors';
import type { NodeStatus } from './node';
import { RUN_PHASES } from './run';

/** Everything that a run can be: what tabs see of it, and its end. */
export const RUN_STATES = [...RUN_PHASES, 'ended'] as const;
export type RunState = (typeof RUN_STATES)[number];

/**
 * `request`: the model is asked. `output`: something of its answer is there. `pause`: the request failed before that and is made again
 * later. `work`: the model has asked for tools, and they are run. `close`: nothing more will come. `end`: what came is stored, or owed to the disk.
 */
export const RUN_EVENTS = ['request', 'output', 'pause', 'work', 'close', 'end'] as const;
export type RunEvent = (typeof RUN_EVENTS)[number];

/** The life of a run. What is not in here can't happen: an answer of which something was seen never pauses, a closed one asks nobody. */
const RUN_TABLE: Table<RunState, RunEvent> = {
  // A run that goes on after the user's decision begins with the tools.
  preparing: { request: 'requesting', work: 'working', close: 'finishing' },
  requesting: { output: 'streaming', pause: 'waiting', close: 'finishing' },
  waiting: { request: 'requesting', close: 'finishing' },
  // The next step of the same run is a request of its own.
  streaming: { output: 'streaming', request: 'requesting', work: 'working', close: 'finishing' },
  working: { work: 'working', request: 'requesting', close: 'finishing' },
  finishing: { end: 'ended' },
  ended: {},
};

/**
 * `complete`, `fail`, `interrupt`, `await`: how a run left its node. `continue`: a run goes on in it. Messages of the user are born complete, answers
 * running; deleting is not a run's business.
 */
export const NODE_EVENTS = ['complete', 'fail', 'interrupt', 'await', 'continue'] as const;
export type NodeEvent = (typeof NODE_EVENTS)[number];

/** What runs make of a node. Only one that runs can end, and only one that doesn't can go on: so there is one run at a time in it. */
const NODE_TABLE: Table<NodeStatus, NodeEvent> = {
  running: { complete: 'complete', fail: 'failed', interrupt: 'interrupted', await: 'awaiting' },
  // The user stops it, or says something else.
  awaiting: { continue: 'running', interrupt: 'interrupted' },
  complete: { continue: 'running' },
  interrupted: { continue: 'running' },
  failed: { continue: 'running' },
  deleted: {},
};

type Table<State extends string, Event extends string> = {
  readonly [From in State]: { readonly [On in Event]?: State };
};

/** The state of a run after an event. Throws `internal` for one that can't happen there: the caller is wrong about the run. */
export function nextRunState(state: RunState, event: RunEvent): RunState {
  return RUN_TABLE[state][event] ?? refuse(`a run that is ${state} was told “${event}”`);
}

/** The status of a node after an event. Throws `internal` for one that can't happen there. */
export function nextNodeStatus(status: NodeStatus, event: NodeEvent): NodeStatus {
  return NODE_TABLE[status][event] ?? refuse(`a node that is ${status} was told “${event}”`);
}

function refuse(fault: string): never {
  throw new AppError('internal', { details: { fault }, cause: new Error(fault) });
}
