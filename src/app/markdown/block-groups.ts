import type { DocumentBlock } from './document';

/** What stands below one another in one element; the same object as long as none of them changed. */
export interface BlockGroup {
  /** Of its first block. */
  readonly key: number;
  readonly blocks: readonly DocumentBlock[];
}

/** Blocks that stand alone at the begin of a text, about a screen, and blocks of a group after them. */
export const GROUP_BLOCKS = 16;

/**
 * The blocks after the first `GROUP_BLOCKS` in groups. A browser looks at each child of a growing text in every frame; of eight thousand this
 * is a tenth of a second. With groups a frame costs a third less painting already where there are two hundred. `former` are the groups that are
 * drawn now.
 */
export function groupBlocks(blocks: readonly DocumentBlock[], former: readonly BlockGroup[]): readonly BlockGroup[] {
  const groups: BlockGroup[] = [];
  for (let start = GROUP_BLOCKS; start < blocks.length; start += GROUP_BLOCKS) {
    const group = blocks.slice(start, start + GROUP_BLOCKS);
    const drawn = former[groups.length];
    const isSame = drawn?.blocks.length === group.length && drawn.blocks.every((block, at) => block === group[at]);
    groups.push(isSame ? drawn : { key: group[0]?.key ?? 0, blocks: group });
  }
  return groups;
}
