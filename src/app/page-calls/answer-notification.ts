import type { RunEnd } from '../../core/run';
import type { AppContext } from '../app-context';

/** What of the app is needed to tell of an answer. */
type NotificationContext = Pick<AppContext, 'engine' | 'settings' | 'texts' | 'router'>;

/**
 * Tells by the system, as long as the setting allows it, when an answer ends or comes to wait for the user while the page is hidden; a click
 * brings the page and the conversation. Permission is asked for in the settings, never here. Ends with the returned function.
 */
export function notifyOfAnswers(context: NotificationContext): () => void {
  return context.engine.listen((name, payload) => {
    if (name === 'run-end' && 'excerpt' in payload) void notify(context, payload);
  });
}

async function notify(context: NotificationContext, end: RunEnd): Promise<void> {
  if (!document.hidden || !context.settings.current.notifications) return;
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  // A run that someone stopped is no news.
  if (end.status !== 'complete' && end.status !== 'failed' && end.status !== 'awaiting') return;
  const { chat, shell } = context.texts.current;
  const { failed, finished, waiting } = chat.notification;
  const said = end.excerpt === '' ? finished : end.excerpt;
  const body = end.status === 'failed' ? failed : end.status === 'awaiting' ? waiting : said;
  const title = end.title === '' ? shell.appName : end.title;
  // One for each run, however many tabs have heard of it.
  const options: NotificationOptions = { body, tag: end.runId, data: { conversationId: end.conversationId } };
  try {
    const notification = new Notification(title, options);
    notification.addEventListener('click', () => {
      window.focus();
      context.router.go({ name: 'chat', conversationId: end.conversationId });
      notification.close();
    });
  } catch {
    // Android allows it only through the service worker.
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.showNotification(title, options);
  }
}
