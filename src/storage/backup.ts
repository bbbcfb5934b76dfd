import * as v from 'valibot';
import { AppError } from '../core/errors';
import type { ImportReport } from '../core/protocol';
import { exportBlobs, exportConversations, exportSetup, LineCollector } from './backup-export';
import { readLines } from './backup-lines';
import type { MergeTally } from './backup-context';
import { mergeRows } from './backup-merge';
import { prepareLine, type PreparedLine } from './backup-prepare';
import { parseBackupLine, parseJson } from './backup-rows';
import type { JackdawDatabase } from './db';
import { SCHEMA_VERSION } from './migrations';
import type { Stamp } from './stamp';
import { storageUse } from './usage';

const FORMAT = 'jackdaw-backup';
const FORMAT_VERSION = 1;
/** Written in one transaction: a few milliseconds, so that the app stays usable meanwhile. */
const BATCH_LINES = 1000;
const BATCH_CHARACTERS = 8 * 1024 * 1024;
/** With more useless lines than this the report would be of no use either. */
const MAX_SKIPPED = 10_000;

const headerSchema = v.looseObject({ format: v.literal(FORMAT), version: v.pipe(v.number(), v.integer(), v.minValue(1)) });

export interface ExportOptions {
  /** Puts the accounts' keys into the file, in plain text. */
  readonly includeKeys: boolean;
  /** Epoch ms. */
  readonly at: number;
}

/**
 * Everything as one JSON Lines file: a header, then a row a line. Left out are running answers, the ledger, model lists and whatever belongs
 * to this browser profile only. Throws `key-unreadable` when keys are asked for and one doesn't open, and storage codes. An abort rejects.
 */
export async function exportBackup(database: JackdawDatabase, options: ExportOptions, signal: AbortSignal): Promise<Blob> {
  const { conversations, nodes, blobs } = await storageUse(database, {});
  const lines = new LineCollector();
  lines.add({
    format: FORMAT,
    version: FORMAT_VERSION,
    schema: SCHEMA_VERSION,
    exportedAt: options.at,
    counts: { conversations, nodes, blobs },
    includesKeys: options.includeKeys,
  });
  await exportSetup(database, options.includeKeys, lines);
  await exportConversations(database, lines, signal);
  await exportBlobs(database, lines, signal);
  return lines.toBlob();
}

/**
 * Brings the file of `exportBackup` in and reports what came. What is here stays: unknown nodes are added, a field, setting or account changes
 * only where the file's clock is later, nothing is deleted. Importing twice changes nothing. A line that can't be used is skipped and
 * reported. Throws `import-format` for another kind of file, `import-newer` for one of a newer version, `import-damaged` when thousands of lines
 * are useless, and storage codes; what was written before stays, also on an abort.
 */
export async function importBackup(database: JackdawDatabase, file: Blob, stamp: Stamp, signal: AbortSignal): Promise<ImportReport> {
  const report = { conversations: 0, nodes: 0, files: 0, accounts: 0, unchanged: 0 };
  const skipped: ImportReport['skipped'][number][] = [];
  /** Conversations that this import made: only in others a choice of the reader has to be kept. */
  const created = new Set<string>();
  let batch: PreparedLine[] = [];
  let characters = 0;
  let hasHeader = false;

  const write = async (): Promise<void> => {
    signal.throwIfAborted();
    const tally: MergeTally = await mergeRows(database, batch, created, stamp);
    report.conversations += tally.conversations.length;
    report.nodes += tally.nodes;
    report.files += tally.files;
    report.accounts += tally.accounts;
    report.unchanged += tally.unchanged;
    for (const id of tally.conversations) created.add(id);
    for (const line of tally.damaged) skip(line, 'damaged');
    batch = [];
    characters = 0;
  };
  const skip = (line: number, reason: 'damaged' | 'unknown'): void => {
    skipped.push({ line, reason });
    if (skipped.length > MAX_SKIPPED) throw new AppError('import-damaged', { details: { skipped: skipped.length } });
  };

  for await (const line of readLines(file, signal)) {
    if (!hasHeader) {
      checkHeader(line.text);
      hasHeader = true;
      continue;
    }
    const parsed = parseBackupLine(line.text);
    const prepared = typeof parsed === 'string' ? parsed : await prepareLine(database, line.number, parsed);
    if (typeof prepared === 'string') skip(line.number, prepared);
    else batch.push(prepared);
    characters += line.text?.length ?? 0;
    if (batch.length >= BATCH_LINES || characters >= BATCH_CHARACTERS) await write();
  }
  if (!hasHeader) throw new AppError('import-format');
  await write();
  return { ...report, skipped: skipped.sort((a, b) => a.line - b.line) };
}

/** Throws `import-format` or `import-newer` unless the first line is a header that this code understands. */
function checkHeader(text: string | undefined): void {
  const header = v.safeParse(headerSchema, text === undefined ? undefined : parseJson(text));
  if (!header.success) throw new AppError('import-format');
  if (header.output.version > FORMAT_VERSION) throw new AppError('import-newer', { details: { version: header.output.version } });
}
