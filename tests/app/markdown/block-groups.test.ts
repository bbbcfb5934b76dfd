import { expect, it } from 'vitest';
import { GROUP_BLOCKS, groupBlocks } from '../../../src/app/markdown/block-groups';
import type { DocumentBlock } from '../../../src/app/markdown/document';

const blocks = (count: number): readonly DocumentBlock[] =>
  Array.from({ length: count }, (_, at) => ({ key: at * 10, nodes: [], isOpen: false }));

it('puts what follows a usual answer into groups, in order and without loss', () => {
  const all = blocks(5 * GROUP_BLOCKS + 3);
  const groups = groupBlocks(all, []);
  expect(groups.map((group) => group.blocks.length)).toEqual([GROUP_BLOCKS, GROUP_BLOCKS, GROUP_BLOCKS, GROUP_BLOCKS, 3]);
  expect([...all.slice(0, GROUP_BLOCKS), ...groups.flatMap((group) => group.blocks)]).toEqual(all);
  expect(groups.map((group) => group.key)).toEqual(groups.map((group) => group.blocks[0]?.key));
  expect(groupBlocks(all.slice(0, GROUP_BLOCKS), [])).toEqual([]);
});

it('keeps the groups in which nothing changed', () => {
  const all = blocks(3 * GROUP_BLOCKS);
  const before = groupBlocks(all, []);
  const after = groupBlocks([...all.slice(0, -1), ...blocks(1)], before);
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
});
