import { describe, expect, test } from 'vitest';
import type { Part } from '../../src/core/node';
import { applyChanges, diffParts } from '../../src/core/run';
import { between, seeded } from '../support/random';

const text = (value: string): Part => ({ type: 'text', step: 0, text: value });
const thought = (value: string, endedAt?: number): Part => ({
  type: 'reasoning',
  step: 0,
  text: value,
  startedAt: 1,
  ...(endedAt === undefined ? {} : { endedAt }),
});

describe('changes between two states of an answer', () => {
  test('text that grew is sent as what was added', () => {
    expect(diffParts([text('Hel')], [text('Hello')])).toEqual([{ type: 'append', index: 0, text: 'lo' }]);
  });

  test('nothing is sent for what stayed', () => {
    const parts = [text('Hello')];
    expect(diffParts(parts, [text('Hello')])).toEqual([]);
    expect(diffParts(parts, parts)).toEqual([]);
  });

  test('a part whose other fields changed is sent whole', () => {
    expect(diffParts([thought('a')], [thought('a', 5)])).toEqual([{ type: 'put', index: 0, part: thought('a', 5) }]);
  });

  test('parts that vanished are cut off', () => {
    expect(diffParts([text('a'), text('b')], [text('a')])).toEqual([{ type: 'truncate', length: 1 }]);
  });

  test('unchanged parts keep their identity, so that they are not drawn again', () => {
    const first = text('done');
    const after = applyChanges([first, text('run')], [{ type: 'append', index: 1, text: 'ning' }]);
    expect(after[0]).toBe(first);
    expect(after[1]).toEqual(text('running'));
  });

  test('applied to the old state they give the new one (500 random pairs)', () => {
    const random = seeded(3);
    const some = (): Part[] =>
      Array.from({ length: between(random, 0, 4) }, () => {
        const value = 'abcdefgh'.slice(0, between(random, 0, 8));
        return random() < 0.5 ? text(value) : thought(value, random() < 0.5 ? 2 : undefined);
      });
    for (let round = 0; round < 500; round++) {
      const [before, after] = [some(), some()];
      expect(applyChanges(before, diffParts(before, after))).toEqual(after);
    }
  });
});
