/** The address of a hub as it is stored, with a slash at its end; null for what is none. */
export function hostAddress(text: string): string | null {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '') return null;
  return `${url.origin}${url.pathname.replace(/\/*$/, '')}/`;
}
