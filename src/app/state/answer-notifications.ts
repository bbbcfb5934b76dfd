import type { RunEnd } from '../../core/run';

interface NotificationOptions {
  /** The setting, read at the moment of the answer. */
  readonly isWanted: () => boolean;
  readonly untitled: () => string;
  /** Called when the reader clicks it. */
  readonly onOpen: (conversationId: string) => void;
}

/** Says outside the page that an answer ended, when the page is hidden, the setting is on and the browser still allows it. */
export function notifyOfAnswer(end: RunEnd, options: NotificationOptions): void {
  if (!options.isWanted() || !document.hidden || notificationState() !== 'granted') return;
  try {
    // The tag lets several tabs that saw the same end show one notification.
    const notification = new Notification(end.title === '' ? options.untitled() : end.title, { body: end.excerpt, tag: end.conversationId });
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
      options.onOpen(end.conversationId);
    });
  } catch {
    // Browsers on phones allow notifications from service workers only.
    void navigator.serviceWorker.getRegistration().then((registration) =>
      registration?.showNotification(end.title === '' ? options.untitled() : end.title, { body: end.excerpt, tag: end.conversationId }),
    );
  }
}

/** What the browser says about notifications now. */
export function notificationState(): NotificationPermission | 'missing' {
  return 'Notification' in window ? Notification.permission : 'missing';
}

/** Asks the user where that is still open; the answer. Call it in a click. */
export async function askForNotifications(): Promise<NotificationPermission | 'missing'> {
  return 'Notification' in window ? Notification.requestPermission() : 'missing';
}
