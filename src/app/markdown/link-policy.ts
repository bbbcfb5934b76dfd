import type { ImageNode } from './nodes';

/** Where a link leads, as far as it may be opened at all. */
export interface LinkTarget {
  readonly href: string;
  /** Host with port, in ASCII form so that look-alike letters show; for mail the address. */
  readonly host: string;
  /** The address holds a user part, which is read as a host by people. */
  readonly hasCredentials: boolean;
}

const OPENABLE = new Set(['http:', 'https:', 'mailto:']);
// Formats that hold pixels only. SVG can hold addresses, scripts and links.
const EMBEDDED_PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,[a-z0-9+/=\s%]+$/i;
const LOOKS_LIKE_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:|www\.|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/:?#]|$))/iu;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** The target of `href` when it is an absolute http, https or mailto address; null for every other scheme and for relative addresses. */
export function readLink(href: string): LinkTarget | null {
  // A scheme that only appears after the browser's own clean-up (tabs, line breaks, leading blanks) is not taken.
  if (!SCHEME.test(href) || !URL.canParse(href)) return null;
  const url = new URL(href);
  if (!OPENABLE.has(url.protocol)) return null;
  if (url.protocol === 'mailto:') return { href: url.href, host: decodeAddress(url.pathname), hasCredentials: false };
  return { href: url.href, host: url.host, hasCredentials: url.username !== '' || url.password !== '' };
}

function decodeAddress(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A stray percent sign; the encoded form says the same.
    return path;
  }
}

/** What the reader must be shown beside the text of a link: the host where the text does not name it, and whether the text names another. */
export function describeLink(target: LinkTarget, text: string): { readonly shownHost: string | null; readonly misleading: boolean } {
  const shown = text.trim();
  if (shown.toLowerCase() === target.host.toLowerCase()) return { shownHost: null, misleading: false };
  const looksLikeAddress = LOOKS_LIKE_ADDRESS.test(shown) || /^\S+@\S+$/.test(shown);
  if (!looksLikeAddress) return { shownHost: target.host, misleading: false };
  const named = readLink(SCHEME.test(shown) ? shown : `https://${shown}`);
  // Only a text that is a plain address of the same host shows where the link leads; a longer one may hide its end.
  if (!target.hasCredentials && named?.host === target.host && !/\s/.test(shown) && !/[^\p{ASCII}]/u.test(shown.split('/')[2] ?? shown)) {
    return { shownHost: null, misleading: false };
  }
  return { shownHost: target.host, misleading: target.hasCredentials || named?.host !== target.host };
}

/** How a picture named by a model may be treated. Nothing here loads anything. */
export function readImage(url: string, alt: string): ImageNode {
  if (EMBEDDED_PICTURE.test(url)) return { type: 'image', alt, kind: 'embedded', url, host: '' };
  const target = readLink(url.startsWith('//') ? `https:${url}` : url);
  if (target === null || target.href.startsWith('mailto:')) return { type: 'image', alt, kind: 'refused', url: '', host: '' };
  return { type: 'image', alt, kind: 'remote', url: target.href, host: target.host };
}

/**
 * Whether a link or picture is taken as such at all; the source stays readable text otherwise. Relative addresses pass here and lose their
 * link later, because they have no meaning outside the place they were written for.
 */
export function isAcceptedAddress(url: string): boolean {
  return !SCHEME.test(url) ? !/^[\s\p{Cc}]/u.test(url) : readLink(url) !== null || EMBEDDED_PICTURE.test(url);
}
