const TEXT_TYPES: ReadonlySet<string> = new Set(['textarea', 'text', 'url', 'password', 'email', 'number']);

/** Whether some field of the page holds words that a reload could take away. A field that was only filled in by the app counts too: better once too often. */
export function hasUnsentWords(root: ParentNode): boolean {
  const fields = root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
  return [...fields].some((field) => TEXT_TYPES.has(field.type) && field.value.trim() !== '');
}
