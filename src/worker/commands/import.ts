import { AppError } from '../../core/errors';
import type { BlobLike, ImportReport } from '../../core/protocol';
import { stampOf } from '../../generation/environment';
import type { Command } from '../context';

/** Brings a file of `export` back in; what is here already stays. Throws `import-format`, `import-newer` and storage codes. */
export const importAll: Command<{ file: BlobLike }, ImportReport> = async ({ file }, { environment }, signal) => {
  if (!(file instanceof Blob)) throw new AppError('import-format');
  const { importBackup } = await import('../../storage/backup');
  return importBackup(environment.database, file, stampOf(environment), signal);
};
