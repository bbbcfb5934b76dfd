import type { Json, JsonObject } from '../../core/errors';
import type { StreamEvent } from '../../core/stream';
import { isList, isRecord, recordAt, textAt, toJsonObject } from '../../outbound/json';

/**
 * Sources of an answer, each address once. They are held back to the end: servers send them before the words that rest on them, or with every
 * chunk again.
 */
export interface SourceReader {
  /** `url_citation` annotations of a message; other kinds are left out. */
  readAnnotations(annotations: unknown): void;
  /** Perplexity's lists at the top of a chunk, in the order to which the answer's numbers refer. */
  readTopLevel(chunk: unknown): void;
  /** The sources that were not handed out yet. */
  take(): readonly StreamEvent[];
}

export function createSourceReader(): SourceReader {
  const sources = new Map<string, string>();
  let taken = 0;
  const add = (url: string | undefined, title = ''): void => {
    if (url === undefined || !/^https?:\/\//i.test(url)) return;
    if ((sources.get(url) ?? '') === '') sources.set(url, title);
  };
  return {
    readAnnotations(annotations) {
      if (!isList(annotations)) return;
      for (const annotation of annotations.filter(isRecord)) {
        if (annotation['type'] !== 'url_citation') continue;
        const citation = isRecord(annotation['url_citation']) ? annotation['url_citation'] : annotation;
        add(textAt(citation, 'url'), textAt(citation, 'title'));
      }
    },
    readTopLevel(chunk) {
      if (!isRecord(chunk)) return;
      const { citations, search_results: results } = chunk;
      if (isList(citations)) for (const url of citations) if (typeof url === 'string') add(url);
      if (isList(results)) for (const result of results.filter(isRecord)) add(textAt(result, 'url'), textAt(result, 'title'));
    },
    take() {
      const fresh = [...sources].slice(taken);
      taken = sources.size;
      return fresh.map(([url, title]) => ({ type: 'citation', url, title }));
    },
  };
}

/** OpenRouter's `reasoning_details`, put together from their pieces, to go back unchanged. */
export interface DetailsReader {
  /** Pieces of one delta. `hasText`: it brought thoughts, so that after words of the answer a new thought begins. */
  read(pieces: unknown, hasText: boolean): void;
  /** The list so far, where it changed since it was last taken. */
  take(): readonly StreamEvent[];
}

export function createDetailsReader(): DetailsReader {
  let list: JsonObject[] = [];
  let isTaken = false;
  let hasChanged = false;
  return {
    read(pieces, hasText) {
      if (!isList(pieces)) return;
      if (isTaken && hasText) list = [];
      if (hasText) isTaken = false;
      for (const piece of pieces.filter(isRecord).map(toJsonObject)) {
        hasChanged = true;
        const index = list.findIndex((known) => isSameDetail(known, piece));
        const known = list[index];
        if (known === undefined) list.push(piece);
        else list[index] = joinDetail(known, piece);
      }
    },
    take() {
      if (!hasChanged || list.length === 0) return [];
      isTaken = true;
      hasChanged = false;
      return [{ type: 'reasoning-opaque', data: [...list] }];
    },
  };
}

function isSameDetail(known: JsonObject, piece: JsonObject): boolean {
  // An encrypted piece is whole.
  return known['type'] === piece['type'] && known['index'] === piece['index'] && piece['type'] !== 'reasoning.encrypted';
}

/** Text grows, anything else is what was said last; a null says nothing. */
function joinDetail(known: JsonObject, piece: JsonObject): JsonObject {
  const joined: { [key: string]: Json } = { ...known };
  for (const [key, value] of Object.entries(piece)) {
    const old = joined[key];
    const grows = (key === 'text' || key === 'summary') && typeof old === 'string' && typeof value === 'string';
    if (grows) joined[key] = old + value;
    else if (value !== null || old === undefined) joined[key] = value;
  }
  return joined;
}

/** Pictures in a message, each once, as routers send them: only those whose bytes stand in the answer. */
export function createPictureReader(): { read(images: unknown): readonly StreamEvent[] } {
  const known = new Set<string>();
  return {
    read(images) {
      if (!isList(images)) return [];
      return images.filter(isRecord).flatMap((image): readonly StreamEvent[] => {
        const url = textAt(recordAt(image, 'image_url'), 'url') ?? '';
        const match = /^data:(image\/[\w.+-]+);base64,/.exec(url);
        if (match?.[1] === undefined || known.has(url)) return [];
        known.add(url);
        return [{ type: 'image', mimeType: match[1], base64: url.slice(match[0].length) }];
      });
    },
  };
}
