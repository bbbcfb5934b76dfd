import Dexie from 'dexie';
import { readKey } from './accounts';
import type { BackupTable, RowOf } from './backup-rows';
import { toBase64 } from './base64';
import { readEntries } from './blocks';
import { readSteps } from './content';
import type { AccountRow, ConversationRow, DraftRow, JackdawDatabase, SettingRow, SideRow, TombstoneRow } from './db';
import { stored } from './open';

/** Text is handed to the browser, which may keep it on disk, in pieces of this size. */
const PIECE_CHARACTERS = 1024 * 1024;
/** Nodes whose content is read at once. */
const SLICE_NODES = 200;

type ExportedRow =
  | RowOf<BackupTable>
  | ConversationRow
  | SideRow
  | TombstoneRow
  | DraftRow
  | SettingRow
  | (Omit<AccountRow, 'wrappedKey'> & { keyInPlainText?: string });

/** Collects lines and holds at most one piece of them as text. */
export class LineCollector {
  readonly #pieces: Blob[] = [];
  #lines: string[] = [];
  #characters = 0;

  /** Adds one JSON line. */
  add(value: unknown): void {
    const line = JSON.stringify(value);
    this.#lines.push(line, '\n');
    this.#characters += line.length;
    if (this.#characters >= PIECE_CHARACTERS) this.#seal();
  }

  /** Adds one row of a table. */
  addRow(table: BackupTable, row: ExportedRow): void {
    this.add({ table, row });
  }

  /** Everything added so far, as one file. */
  toBlob(): Blob {
    this.#seal();
    return new Blob(this.#pieces, { type: 'application/jsonl' });
  }

  #seal(): void {
    if (this.#lines.length > 0) this.#pieces.push(new Blob([this.#lines.join('')]));
    this.#lines = [];
    this.#characters = 0;
  }
}

/** Settings and accounts. Keys are unwrapped only when asked for; throws `key-unreadable` where that fails. */
export async function exportSetup(database: JackdawDatabase, includeKeys: boolean, lines: LineCollector): Promise<void> {
  for (const row of await stored(database, () => database.settings.toArray())) lines.addRow('settings', row);
  for (const { wrappedKey, ...row } of await stored(database, () => database.accounts.orderBy('position').toArray())) {
    const key = includeKeys && wrappedKey !== undefined ? await readKey(database, row.id) : null;
    lines.addRow('accounts', key === null ? row : { ...row, keyInPlainText: key });
  }
}

/** Every conversation with its nodes, parents first, their content, side fields and tombstones; then drafts and what was purged. */
export async function exportConversations(database: JackdawDatabase, lines: LineCollector, signal: AbortSignal): Promise<void> {
  const ids = await stored(database, () => database.conversations.toCollection().primaryKeys());
  for (const id of ids) {
    signal.throwIfAborted();
    await exportConversation(database, id, lines);
  }
  for (const row of await stored(database, () => database.drafts.toArray())) lines.addRow('drafts', row);
  for (const row of await stored(database, () => database.tombstones.toArray())) {
    if (row.kind === 'conversation') lines.addRow('tombstones', row);
  }
}

/** Every file, one at a time. They stand last, so that a cut backup still holds every word. */
export async function exportBlobs(database: JackdawDatabase, lines: LineCollector, signal: AbortSignal): Promise<void> {
  for (const hash of await stored(database, () => database.blobs.toCollection().primaryKeys())) {
    signal.throwIfAborted();
    const row = await stored(database, () => database.blobs.get(hash));
    if (row === undefined) continue;
    const bytes = { type: 'bytes', base64: toBase64(new Uint8Array(row.body.bytes)) } as const;
    const { mimeType, sizeBytes, createdAt } = row;
    lines.addRow('blobs', { hash, mimeType, sizeBytes, createdAt, body: { bytes } });
  }
}

/** One snapshot a conversation. Lines are only added once it is complete: a repeated read would write them twice. */
async function exportConversation(database: JackdawDatabase, id: string, lines: LineCollector): Promise<void> {
  const { conversations, structure, content, sides, tombstones } = database;
  const entries = await stored(database, () =>
    database.transaction('r', [conversations, structure, sides, tombstones], async () => {
      const conversation = await conversations.get(id);
      const nodes = await readEntries(database, id);
      const fields = await sides.where('[conversationId+field]').between([id, Dexie.minKey], [id, Dexie.maxKey]).toArray();
      const deleted = await tombstones.where('conversationId').equals(id).toArray();
      return conversation === undefined ? undefined : { conversation, nodes, fields, deleted };
    }),
  );
  if (entries === undefined) return;
  const { conversation, nodes, fields, deleted } = entries;
  lines.addRow('conversations', conversation);
  for (const { id: nodeId, parent, role, status, tokens, createdAt, revision } of nodes) {
    const parentId = nodes[parent]?.id ?? null;
    lines.addRow('nodes', { id: nodeId, conversationId: id, parentId, role, status, tokens, createdAt, revision });
  }
  for (let start = 0; start < nodes.length; start += SLICE_NODES) {
    const slice = nodes.slice(start, start + SLICE_NODES);
    const steps = await stored(database, () =>
      database.transaction('r', [content], () => Promise.all(slice.map((node) => readSteps(database, node.id)))),
    );
    steps.forEach((bodies, index) => {
      for (const body of bodies) {
        lines.addRow('content', { nodeId: slice[index]?.id ?? '', step: body.step, conversationId: id, body });
      }
    });
  }
  for (const row of fields) lines.addRow('sides', row);
  for (const row of deleted) if (row.kind === 'node') lines.addRow('tombstones', row);
}
