import { describe, expect, test } from 'vitest';
import type { NodeStatus } from '../../src/core/node';
import { ROOT, Tree, type StructureEntry } from '../../src/core/tree';
import { between, seeded } from '../support/random';

function tree(...rows: readonly [id: string, parent: string | null, status?: NodeStatus][]): Tree {
  const ordinals = new Map(rows.map(([id], ordinal) => [id, ordinal]));
  return new Tree(
    rows.map(([id, parent, status = 'complete'], ordinal): StructureEntry => ({
      ordinal,
      id,
      parent: parent === null ? ROOT : (ordinals.get(parent) ?? ROOT),
      role: ordinal % 2 === 0 ? 'user' : 'assistant',
      status,
      tokens: 1,
      revision: 0,
      createdAt: ordinal,
    })),
  );
}

const ids = (entries: readonly StructureEntry[]): string => entries.map((entry) => entry.id).join(' ');
const names = (source: Tree, ordinals: readonly number[]): string => ordinals.map((at) => source.entries[at]?.id).join(' ');

describe('the branch that is shown', () => {
  const forked = tree(['q', null], ['a1', 'q'], ['a2', 'q'], ['q2', 'a1'], ['b', 'q2']);

  test('follows the newest child where nothing was chosen', () => {
    expect(ids(forked.selectedPath(new Map()))).toBe('q a2');
  });

  test('follows the remembered child at every branch point', () => {
    expect(ids(forked.selectedPath(new Map([['q', 'a1']])))).toBe('q a1 q2 b');
  });

  test('ignores a choice that belongs to another place or is gone', () => {
    expect(ids(forked.selectedPath(new Map([['q', 'b']])))).toBe('q a2');
    expect(ids(forked.selectedPath(new Map([['q', 'nobody']])))).toBe('q a2');
  });

  test('chooses between several first messages', () => {
    const roots = tree(['q1', null], ['a1', 'q1'], ['q2', null]);
    expect(ids(roots.selectedPath(new Map()))).toBe('q2');
    expect(ids(roots.selectedPath(new Map([['', 'q1']])))).toBe('q1 a1');
  });
});

describe('a deleted node', () => {
  const gap = tree(['q', null], ['a', 'q', 'deleted'], ['q2', 'a'], ['other', 'q']);

  test('leaves its children to the nearest living ancestor', () => {
    expect(names(gap, gap.children(0))).toBe('q2 other');
    expect(ids(gap.pathTo(2))).toBe('q q2');
    expect(names(gap, gap.siblings(2))).toBe('q2 other');
  });

  test('can no longer be found', () => {
    expect(gap.find('a')).toBeUndefined();
    expect(gap.find('q2')?.ordinal).toBe(2);
  });

  test('at the root makes its children roots', () => {
    const headless = tree(['q', null, 'deleted'], ['a', 'q']);
    expect(ids(headless.selectedPath(new Map()))).toBe('a');
  });
});

test('every living node lies on the path to itself, and children and parents agree (200 random trees)', () => {
  const random = seeded(7);
  for (let round = 0; round < 200; round++) {
    const count = between(random, 1, 40);
    const rows = Array.from({ length: count }, (_, at): [string, string | null, NodeStatus] => [
      `n${at}`,
      at === 0 || random() < 0.05 ? null : `n${between(random, 0, at - 1)}`,
      random() < 0.2 ? 'deleted' : 'complete',
    ]);
    const sample = tree(...rows);
    for (const entry of sample.entries) {
      if (entry.status === 'deleted') continue;
      const path = sample.pathTo(entry.ordinal);
      expect(path.at(-1)?.id).toBe(entry.id);
      expect(path.every((node) => node.status !== 'deleted')).toBe(true);
      expect(sample.children(sample.livingParent(entry.ordinal))).toContain(entry.ordinal);
    }
  }
});
