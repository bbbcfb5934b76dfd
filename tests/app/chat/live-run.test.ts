import { describe, expect, it } from 'vitest';
import { applyDelta, isSettled, keepIdentity, startLiveRun, type LiveRun } from '../../../src/app/chat/live-run';
import type { MessageNode } from '../../../src/core/node';
import type { RunDelta, RunSnapshot } from '../../../src/core/run';

const snapshot: RunSnapshot = {
  runId: 'run-1',
  conversationId: 'c',
  nodeId: 'n',
  revision: 4,
  phase: 'streaming',
  step: 1,
  parts: [{ type: 'text', step: 1, text: 'Hel' }],
  model: { accountId: 'a', modelId: 'm' },
  startedAt: 1000,
};
const node = (changes: Partial<MessageNode>): MessageNode => ({
  id: 'n',
  conversationId: 'c',
  parentId: 'u',
  role: 'assistant',
  status: 'running',
  revision: 1,
  createdAt: 1,
  tokens: 0,
  steps: [],
  siblings: ['n'],
  ...changes,
});
const delta = (changes: Partial<RunDelta>): RunDelta => ({
  runId: 'run-1',
  conversationId: 'c',
  nodeId: 'n',
  revision: 5,
  phase: 'streaming',
  step: 1,
  startedAt: 1,
  changes: [{ type: 'append', index: 0, text: 'lo' }],
  ...changes,
});
function advanced(live: LiveRun, change: RunDelta): LiveRun {
  const next = applyDelta(live, change);
  if (next === 'gap') throw new Error('unexpected gap');
  return next;
}

describe('the overlay of a running answer', () => {
  it('grows by the delta that follows', () => {
    const live = advanced(startLiveRun(snapshot, undefined), delta({}));
    expect(live.parts).toEqual([{ type: 'text', step: 1, text: 'Hello' }]);
    expect(live.revision).toBe(5);
  });

  it('names a gap where a delta is missing, the run is another one, or nothing was known', () => {
    const live = startLiveRun(snapshot, undefined);
    expect(applyDelta(live, delta({ revision: 6 }))).toBe('gap');
    expect(applyDelta(live, delta({ runId: 'run-2' }))).toBe('gap');
    expect(applyDelta(null, delta({}))).toBe('gap');
  });

  it('ignores a delta that it already holds', () => {
    const live = startLiveRun(snapshot, undefined);
    expect(applyDelta(live, delta({ revision: 4 }))).toBe(live);
  });

  it('keeps the step before when the next one begins', () => {
    const put = { type: 'put', index: 0, part: { type: 'text', step: 2, text: 'More' } } as const;
    const live = advanced(startLiveRun(snapshot, undefined), delta({ step: 2, changes: [put] }));
    expect(live.earlier).toEqual([{ step: 1, parts: snapshot.parts }]);
    expect(live.parts).toEqual([put.part]);
  });

  it('forgets the pause of a retry once it goes on', () => {
    const retry = { attempt: 1, resumesAt: 5000, error: { code: 'overloaded', retryable: true, details: {} } } as const;
    const waiting = startLiveRun({ ...snapshot, phase: 'waiting', retry }, undefined);
    expect(waiting.retry).toEqual(retry);
    expect(advanced(waiting, delta({ phase: 'requesting', changes: [] })).retry).toBeNull();
  });

  describe('is dropped', () => {
    it('only when the run has ended and the stored node has, too', () => {
      const live = startLiveRun(snapshot, node({}));
      expect(isSettled(live, [node({ status: 'complete', revision: 2 })])).toBe(false);
      expect(isSettled({ ...live, ended: true }, [node({})])).toBe(false);
      expect(isSettled({ ...live, ended: true }, [node({ status: 'complete', revision: 2 })])).toBe(true);
    });

    it('not for the node as it was stored before the run began', () => {
      const before = node({ status: 'interrupted', revision: 7 });
      const live = { ...startLiveRun(snapshot, before), ended: true };
      expect(isSettled(live, [before])).toBe(false);
      expect(isSettled(live, [node({ status: 'complete', revision: 8 })])).toBe(true);
    });

    it('at once where its node is not on the page', () => {
      expect(isSettled({ ...startLiveRun(snapshot, undefined), ended: true }, [])).toBe(true);
    });
  });
});

describe('keepIdentity', () => {
  it('keeps unchanged nodes and takes changed ones', () => {
    const first = node({ id: 'a', siblings: ['a'] });
    const second = node({ id: 'b', siblings: ['b'] });
    const changed = node({ id: 'b', siblings: ['b'], revision: 2 });
    expect(keepIdentity(first, { ...first })).toBe(first);
    expect(keepIdentity(second, changed)).toBe(changed);
    expect(keepIdentity(undefined, first)).toBe(first);
  });

  it('sees a new alternative, a new parent and a new step', () => {
    const old = node({});
    for (const change of [{ siblings: ['n', 'x'] }, { parentId: 'v' }, { steps: [{ step: 1, parts: [] }] }]) {
      const next = node(change);
      expect(keepIdentity(old, next)).toBe(next);
    }
  });
});
