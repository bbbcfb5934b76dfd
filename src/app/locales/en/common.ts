/** Words that many places share. */
export const common = {
  save: 'Save',
  cancel: 'Cancel',
  close: 'Close',
  delete: 'Delete',
  undo: 'Undo',
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser did not allow copying. Select the text and copy it by hand.',
  dismiss: 'Dismiss',
  loading: 'Loading…',
  reload: 'Reload',
  details: 'Details',
  off: 'Off',
  required: 'Required',
};
