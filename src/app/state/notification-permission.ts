/** What the browser says about notifications now. */
export function notificationState(): NotificationPermission | 'missing' {
  return 'Notification' in window ? Notification.permission : 'missing';
}

/** Asks the user where that is still open, and tells what then holds. Call it in a click. */
export async function askForNotifications(): Promise<NotificationPermission | 'missing'> {
  return 'Notification' in window ? Notification.requestPermission() : 'missing';
}
