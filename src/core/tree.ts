import type { NodeStatus, Role } from './node';

/** One node's place in its conversation. `ordinal` is its position of arrival and never changes; `parent` is an ordinal, −1 at a root. */
export interface StructureEntry {
  readonly ordinal: number;
  readonly id: string;
  readonly parent: number;
  readonly role: Role;
  readonly status: NodeStatus;
  readonly tokens: number;
  readonly revision: number;
  /** Epoch ms. */
  readonly createdAt: number;
}

export const ROOT = -1;

/**
 * The tree of one conversation, read only. Parents are stored, children are computed: a deleted node is skipped and its children belong
 * to its nearest living ancestor.
 */
export class Tree {
  readonly entries: readonly StructureEntry[];
  readonly #children = new Map<number, number[]>();
  readonly #byId = new Map<string, number>();

  constructor(entries: readonly StructureEntry[]) {
    this.entries = entries;
    for (const entry of entries) {
      this.#byId.set(entry.id, entry.ordinal);
      if (entry.status === 'deleted') continue;
      const parent = this.livingParent(entry.ordinal);
      const list = this.#children.get(parent);
      if (list === undefined) this.#children.set(parent, [entry.ordinal]);
      else list.push(entry.ordinal);
    }
  }

  /** The entry of a living node, or undefined. */
  find(id: string): StructureEntry | undefined {
    const ordinal = this.#byId.get(id);
    const entry = ordinal === undefined ? undefined : this.entries[ordinal];
    return entry?.status === 'deleted' ? undefined : entry;
  }

  /** Ordinal of the nearest living ancestor, or ROOT. */
  livingParent(ordinal: number): number {
    let parent = this.entries[ordinal]?.parent ?? ROOT;
    while (parent !== ROOT && this.entries[parent]?.status === 'deleted') parent = this.entries[parent]?.parent ?? ROOT;
    return parent;
  }

  /** Ordinals of the living children, oldest first. */
  children(ordinal: number): readonly number[] {
    return this.#children.get(ordinal) ?? [];
  }

  /** Living alternatives at the place of a node, oldest first. */
  siblings(ordinal: number): readonly number[] {
    return this.children(this.livingParent(ordinal));
  }

  /** From the root to `ordinal`, living nodes only. */
  pathTo(ordinal: number): readonly StructureEntry[] {
    const path: StructureEntry[] = [];
    for (let at = ordinal; at !== ROOT; at = this.livingParent(at)) {
      const entry = this.entries[at];
      if (entry === undefined) break;
      path.push(entry);
    }
    return path.reverse();
  }

  /**
   * The branch that the reader is on: from the root down, at each node the remembered child, else the newest.
   * `selection` maps a parent's id (`''` for the root) to the chosen child's id.
   */
  selectedPath(selection: ReadonlyMap<string, string>): readonly StructureEntry[] {
    const path: StructureEntry[] = [];
    let at = ROOT;
    for (;;) {
      const children = this.children(at);
      if (children.length === 0) return path;
      const chosen = this.find(selection.get(at === ROOT ? '' : (this.entries[at]?.id ?? '')) ?? '');
      const next = chosen !== undefined && this.livingParent(chosen.ordinal) === at ? chosen.ordinal : children.at(-1);
      const entry = next === undefined ? undefined : this.entries[next];
      if (entry === undefined) return path;
      path.push(entry);
      at = entry.ordinal;
    }
  }
}
