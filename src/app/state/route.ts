/** The sections of the settings page, in the order shown. */
export const SETTINGS_SECTIONS = ['accounts', 'models', 'appearance', 'chat', 'tools', 'privacy', 'data', 'about'] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

export type Route =
  /** `conversationId: null` is the start page. */
  | { readonly name: 'chat'; readonly conversationId: string | null }
  /** `item` is a field to show, or within accounts `new` or an account's id. */
  | { readonly name: 'settings'; readonly section: SettingsSection; readonly item: string | null };

export const START: Route = { name: 'chat', conversationId: null };

/** The place that a URL's hash names; anything unknown is the start page. */
export function parseRoute(hash: string): Route {
  const [first, second, third] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode);
  if (first === 'c' && second !== undefined && second !== '') return { name: 'chat', conversationId: second };
  if (first === 'settings') {
    const section = SETTINGS_SECTIONS.find((candidate) => candidate === second);
    return {
      name: 'settings',
      section: section ?? 'accounts',
      item: section === undefined || third === undefined || third === '' ? null : third,
    };
  }
  return START;
}

/** The hash of a place, to be used in links: it works under any base path. */
export function hrefOf(route: Route): string {
  switch (route.name) {
    case 'chat':
      return route.conversationId === null ? '#/' : `#/c/${encodeURIComponent(route.conversationId)}`;
    case 'settings':
      return `#/settings/${route.section}${route.item === null ? '' : `/${encodeURIComponent(route.item)}`}`;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone % typed by hand.
    return text;
  }
}
