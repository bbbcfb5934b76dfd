/** One page that an answer names, with every passage it was named for. */
export interface Source {
  /** http or https, as the browser writes it. */
  readonly href: string;
  readonly host: string;
  /** What the page calls itself; its host and path where it says nothing. Data, never markup. */
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
      title: before?.title ?? (title.trim() === '' || title.trim() === url ? shortAddress(target) : title.trim()),
      quotes: quote === '' || quotes.includes(quote) ? quotes : [...quotes, quote],
    });
  }
  return [...found.values()];
}

/** Code, in which addresses are examples and no sources. */
const CODE = /^ {0,3}(`{3,}|~{3,})[^]*?(?:\n {0,3}\1|(?![^]))|(`+)[^`\n]*\2/gm;
/** `[title](address)`, or a bare address without the punctuation behind it. */
const LINK = /\[([^\]\n]*)\]\(<?(https?:\/\/[^\s)>]+)|https?:\/\/[^\s<>()[\]"'，。；、）]*[^\s<>()[\]"'，。；、）.,:;!?]/gi;

/** The links of an answer, for one that searched without saying what it found. */
export function linksIn(text: string): readonly Named[] {
  return [...text.replaceAll(CODE, '').matchAll(LINK)].map(([bare, title = '', url]) => ({ url: url ?? bare, title }));
}

/** Without the scheme and what only the server reads. */
function shortAddress({ host, pathname }: URL): string {
  return pathname === '/' ? host : host + pathname;
}
