import type { AppContext } from '../app-context';

interface Update {
  /** Hands the app over to the new version; nothing on the page changes by that. */
  apply(): Promise<void>;
  reload(): void;
  /** Whether a reload now would come upon someone who is writing. */
  hasUnsentWords(): boolean;
}

/**
 * Offers a new version and takes it when the user says so, never while an answer runs in any tab: the new version may bring the database up to
 * a newer schema, and an older tab could not store its answer any more. A `yes` that came during an answer counts at its end, unless its
 * notice was dismissed meanwhile; someone who is writing by then is asked again.
 */
export function offerUpdate(app: Pick<AppContext, 'engine' | 'notices' | 'texts'>, update: Update): void {
  const { engine, notices } = app;
  let isApplied = false;

  const isAnswering = async (): Promise<boolean> => (await engine.call('running', {})).length > 0;

  const offer = (): void => {
    const { updateReady, updateApply } = app.texts.current.shell;
    notices.show(updateReady, { key: 'update', durationMs: null, action: { label: updateApply, run: take } });
  };

  async function take(): Promise<void> {
    try {
      if (await isAnswering()) {
        waitForAnswers();
        return;
      }
      if (!isApplied) await update.apply();
      isApplied = true;
      // The hand-over takes a moment, in which someone may have sent a message.
      if (await isAnswering()) waitForAnswers();
      else update.reload();
    } catch (error) {
      notices.fail(error);
      offer();
    }
  }

  function waitForAnswers(): void {
    const notice = notices.show(app.texts.current.shell.updateWaits, { key: 'update', durationMs: null });
    const stop = engine.listen((name) => {
      if (name === 'run-end') void goOn();
    });
    const goOn = async (): Promise<void> => {
      const isWanted = (): boolean => notices.current.some(({ id }) => id === notice);
      // The worker of a run that died is asked again with the next end.
      if (isWanted() && (await isAnswering().catch(() => true))) return;
      stop();
      if (!isWanted()) return;
      if (update.hasUnsentWords()) offer();
      else await take();
    };
  }

  offer();
}
