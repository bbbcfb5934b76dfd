import type { BackupLine, BackupTable, RowOf } from './backup-rows';
import { fromBase64 } from './base64';
import { hashOf } from './blobs';
import type { AccountRow, BlobRow, JackdawDatabase } from './db';
import { wrapKey } from './keys';

/** A line as it is merged: what takes time is done before the transaction. */
export type PreparedLine =
  | { [Table in Exclude<BackupTable, 'accounts' | 'blobs'>]: { line: number; table: Table; row: RowOf<Table> } }[Exclude<
      BackupTable,
      'accounts' | 'blobs'
    >]
  | { line: number; table: 'accounts'; row: AccountRow }
  | { line: number; table: 'blobs'; row: BlobRow };

/** Encrypts an account's key and checks a file's bytes against its hash; a file that doesn't fit is `damaged`. */
export async function prepareLine(database: JackdawDatabase, line: number, parsed: BackupLine): Promise<PreparedLine | 'damaged'> {
  if (parsed.table === 'accounts') {
    const { keyInPlainText, ...row } = parsed.row;
    if (keyInPlainText === undefined) return { line, table: 'accounts', row };
    return { line, table: 'accounts', row: { ...row, wrappedKey: await wrapKey(database, row.id, keyInPlainText) } };
  }
  if (parsed.table === 'blobs') {
    const { body, ...row } = parsed.row;
    const bytes = fromBase64(body.bytes.base64)?.buffer;
    if (bytes === undefined || bytes.byteLength !== row.sizeBytes || (await hashOf(bytes)) !== row.hash) return 'damaged';
    return { line, table: 'blobs', row: { ...row, body: { bytes } } };
  }
  return { line, ...parsed };
}
