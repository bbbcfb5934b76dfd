import type { BlobLike } from '../../core/protocol';
import type { Command } from '../context';

/** Everything as one JSON Lines file; keys only when asked for. */
export const exportAll: Command<{ includeKeys: boolean }, BlobLike> = async ({ includeKeys }, { environment }, signal) => {
  const { exportBackup } = await import('../../storage/backup');
  return exportBackup(environment.database, { includeKeys, at: environment.now() }, signal);
};
