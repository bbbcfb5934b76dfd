import type { StreamEvent } from '../../core/stream';
import { isList, isRecord, recordAt, textAt, type UnknownRecord } from '../../outbound/json';

/** Reads the sources of one answer: what a search found, and where recited text comes from. Each address is handed on once. */
export function createSourceReader(newId: () => string): { read(candidate: UnknownRecord): readonly StreamEvent[] } {
  const known = new Set<string>();
  let searchId = '';

  const cite = (entries: readonly UnknownRecord[]): readonly { url: string; title: string }[] =>
    entries.flatMap((entry) => {
      const url = textAt(entry, 'uri') ?? '';
      if (!/^https?:\/\//i.test(url) || known.has(url)) return [];
      known.add(url);
      return [{ url, title: textAt(entry, 'title') ?? '' }];
    });

  return {
    read(candidate) {
      const grounding = recordAt(candidate, 'groundingMetadata');
      const chunks = recordsAt(grounding, 'groundingChunks');
      const found = cite(chunks.map((chunk) => [chunk['web'], chunk['retrievedContext'], chunk['maps']].find(isRecord) ?? {}));
      const queries = listAt(grounding, 'webSearchQueries').filter((query) => typeof query === 'string');
      const recited = recordAt(candidate, 'citationMetadata');
      const cited = cite([...recordsAt(recited, 'citationSources'), ...recordsAt(recited, 'citations')]);
      const events: StreamEvent[] = [];
      if (queries.length > 0 || found.length > 0) {
        if (searchId === '') searchId = newId();
        events.push({ type: 'hosted', id: searchId, name: 'web_search', status: 'done', queries, sources: found, isAside: true });
      }
      return [...events, ...[...found, ...cited].map(({ url, title }): StreamEvent => ({ type: 'citation', url, title }))];
    },
  };
}

function listAt(record: UnknownRecord, key: string): readonly unknown[] {
  const value = record[key];
  return isList(value) ? value : [];
}

function recordsAt(record: UnknownRecord, key: string): readonly UnknownRecord[] {
  return listAt(record, key).filter(isRecord);
}
