/** One page that an answer names, with every passage it was named for. */
export interface Source {
  /** http or https, as the browser writes it. */
  readonly href: string;
  readonly host: string;
  /** What the page calls itself; its address where it says nothing. Data, never markup. */
  readonly title: string;
  readonly quotes: readonly string[];
}

interface Named {
  readonly url: string;
  readonly title: string;
  readonly citedText?: string;
}

/** The sources of an answer in the order in which they were first named, each address once. Anything but http(s) is left out. */
export function sourcesOf(named: readonly Named[]): readonly Source[] {
  const found = new Map<string, Source>();
  for (const { url, title, citedText = '' } of named) {
    const target = URL.parse(url);
    if (target === null || (target.protocol !== 'https:' && target.protocol !== 'http:')) continue;
    const before = found.get(target.href);
    const quotes = before?.quotes ?? [];
    const quote = citedText.trim();
    found.set(target.href, {
      href: target.href,
      host: target.host,
      title: before?.title ?? (title.trim() === '' ? target.href : title.trim()),
      quotes: quote === '' || quotes.includes(quote) ? quotes : [...quotes, quote],
    });
  }
  return [...found.values()];
}

export type HostedKind = 'search' | 'page' | 'code' | 'files' | 'image' | 'other';

const KINDS: readonly { readonly pattern: RegExp; readonly kind: HostedKind }[] = [
  { pattern: /file_?search/i, kind: 'files' },
  { pattern: /fetch|url_?context|open_?page|browse/i, kind: 'page' },
  { pattern: /search|grounding/i, kind: 'search' },
  { pattern: /code|bash|python|shell/i, kind: 'code' },
  { pattern: /image/i, kind: 'image' },
];

/** What a provider's server does, by the name that the provider gives it. */
export function hostedKind(name: string): HostedKind {
  return KINDS.find(({ pattern }) => pattern.test(name))?.kind ?? 'other';
}
