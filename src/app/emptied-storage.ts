import { AppError } from '../core/errors';
import { DEFAULT_SETTINGS } from '../core/settings';
import { conversationTraces } from '../storage/traces';
import type { AppContext } from './app-context';
import type { KeptMark } from './state/kept-mark';
import type { PaintHint } from './state/paint';

/**
 * Says, once a start and until the user has taken note, that the conversations which were kept here are gone. What the last visit left of the
 * user's choices outside the database is written into the empty one, or its defaults would soon overwrite that too. Throws storage
 * codes.
 */
export async function tellIfEmptied(app: AppContext, mark: KeptMark, lastVisit: PaintHint): Promise<void> {
  const traces = await conversationTraces(app.database);
  if (traces === 'kept') mark.set();
  if (traces === 'deleted') mark.clear();
  if (traces !== 'none' || !mark.isSet) return;
  const importBackup = (): void => {
    app.router.go({ name: 'settings', section: 'data', item: null });
  };
  app.notices.fail(new AppError('storage-emptied'), {
    action: { label: app.texts.current.shell.importBackup, run: importBackup },
    onDismiss: () => {
      mark.clear();
    },
  });
  for (const key of ['theme', 'textSize', 'language'] as const)
    if (lastVisit[key] !== DEFAULT_SETTINGS[key]) await app.settings.set(key, lastVisit[key]);
}
