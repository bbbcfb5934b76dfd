import { describe, expect, test } from 'vitest';
import { NODE_STATUSES, type NodeStatus } from '../../src/core/node';
import {
  NODE_EVENTS,
  RUN_EVENTS,
  RUN_STATES,
  nextNodeStatus,
  nextRunState,
  type NodeEvent,
  type RunEvent,
  type RunState,
} from '../../src/core/run-states';

/** Every pair that leads somewhere, written out once more: a change of the table has to be meant. */
const RUN_MOVES: readonly (readonly [from: RunState, event: RunEvent, to: RunState])[] = [
  ['preparing', 'request', 'requesting'],
  ['preparing', 'work', 'working'],
  ['preparing', 'close', 'finishing'],
  ['requesting', 'output', 'streaming'],
  ['requesting', 'pause', 'waiting'],
  ['requesting', 'close', 'finishing'],
  ['waiting', 'request', 'requesting'],
  ['waiting', 'close', 'finishing'],
  ['streaming', 'output', 'streaming'],
  ['streaming', 'request', 'requesting'],
  ['streaming', 'work', 'working'],
  ['streaming', 'close', 'finishing'],
  ['working', 'work', 'working'],
  ['working', 'request', 'requesting'],
  ['working', 'close', 'finishing'],
  ['finishing', 'end', 'ended'],
];
const NODE_MOVES: readonly (readonly [from: NodeStatus, event: NodeEvent, to: NodeStatus])[] = [
  ['running', 'complete', 'complete'],
  ['running', 'fail', 'failed'],
  ['running', 'interrupt', 'interrupted'],
  ['running', 'await', 'awaiting'],
  ['awaiting', 'continue', 'running'],
  ['awaiting', 'interrupt', 'interrupted'],
  ['complete', 'continue', 'running'],
  ['interrupted', 'continue', 'running'],
  ['failed', 'continue', 'running'],
];

const pairs = <State, Event>(states: readonly State[], events: readonly Event[]): (readonly [State, Event])[] =>
  states.flatMap((state) => events.map((event) => [state, event] as const));

describe('a run', () => {
  test.each(RUN_MOVES)('that is %s and is told to %s is %s', (from, event, to) => {
    expect(nextRunState(from, event)).toBe(to);
  });

  const illegal = pairs(RUN_STATES, RUN_EVENTS).filter(
    ([state, event]) => !RUN_MOVES.some((move) => move[0] === state && move[1] === event),
  );

  test.each(illegal)('that is %s cannot %s, and whoever says so is told', (state, event) => {
    expect(() => nextRunState(state, event)).toThrow(
      expect.objectContaining({ code: 'internal', details: { fault: `a run that is ${state} was told “${event}”` } }),
    );
  });

  test('comes to its end from wherever it is, and stays there', () => {
    for (const state of RUN_STATES) {
      const closed = state === 'finishing' || state === 'ended' ? state : nextRunState(state, 'close');
      expect(closed === 'ended' ? closed : nextRunState(closed, 'end')).toBe('ended');
    }
    for (const event of RUN_EVENTS) expect(() => nextRunState('ended', event)).toThrow();
  });
});

describe('a node', () => {
  test.each(NODE_MOVES)('that is %s and is told to %s is %s', (from, event, to) => {
    expect(nextNodeStatus(from, event)).toBe(to);
  });

  const illegal = pairs(NODE_STATUSES, NODE_EVENTS).filter(
    ([status, event]) => !NODE_MOVES.some((move) => move[0] === status && move[1] === event),
  );

  test.each(illegal)('that is %s cannot %s, and whoever says so is told', (status, event) => {
    expect(() => nextNodeStatus(status, event)).toThrow(
      expect.objectContaining({ code: 'internal', details: { fault: `a node that is ${status} was told “${event}”` } }),
    );
  });
});
