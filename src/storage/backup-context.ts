import type { BackupTable } from './backup-rows';
import type { PreparedLine } from './backup-prepare';
import type { JackdawDatabase } from './db';
import type { Change } from './outbox-rows';
import type { Stamp } from './stamp';

export type LineOf<Table extends BackupTable> = Extract<PreparedLine, { table: Table }>;

/** What became of the lines of one batch. */
export interface MergeTally {
  /** Ids of conversations that were not here before. */
  readonly conversations: string[];
  nodes: number;
  files: number;
  accounts: number;
  unchanged: number;
  /** Numbers of lines that contradict what is stored: no such conversation, no such node. */
  readonly damaged: number[];
}

/** One batch on its way into the database, inside one transaction. */
export interface MergeContext {
  readonly database: JackdawDatabase;
  readonly stamp: Stamp;
  /** Conversations that this import made in earlier batches. */
  readonly created: ReadonlySet<string>;
  readonly tally: MergeTally;
  readonly changes: Change[];
}

/** The lines of one table, in the order of the file. */
export function linesOf<Table extends BackupTable>(batch: readonly PreparedLine[], table: Table): LineOf<Table>[] {
  return batch.filter((line): line is LineOf<Table> => line.table === table);
}

/** Lines by the conversation that they belong to, in the order of the file. */
export function byConversation<Line extends { readonly row: { readonly conversationId: string } }>(
  lines: readonly Line[],
): Map<string, Line[]> {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const group = groups.get(line.row.conversationId);
    if (group === undefined) groups.set(line.row.conversationId, [line]);
    else group.push(line);
  }
  return groups;
}
