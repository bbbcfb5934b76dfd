import { textOf } from '../core/node';
import { excerptAround, foldText, holdsAll, searchWords } from '../core/text-search';
import type { StructureEntry } from '../core/tree';
import { readEntries } from './blocks';
import { readSteps } from './content';
import { livingConversations, withTitles, type ConversationScope, type FoundConversation } from './conversation-lookup';
import type { JackdawDatabase } from './db';
import { stored } from './open';

/** Content rows that one search reads: some seconds on a slow phone. Titles are looked at all the same. */
const MAX_CONTENT_ROWS = 5_000;

/** Messages read in one transaction: a stop is heard between two, and no write waits for long. */
const PAGE_MESSAGES = 100;

const SNIPPET_CHARACTERS = 200;

/** A title or a message in which every word of the query occurs. */
export interface SearchHit {
  readonly conversationId: string;
  readonly title: string;
  /** Id of the message; null: it is the title. */
  readonly messageId: string | null;
  /** Epoch ms of the message; for a title, of the conversation's last one. */
  readonly at: number;
  /** One line of at most 200 characters around the first hit; hits stand in square brackets. */
  readonly snippet: string;
}

export interface SearchResult {
  /** Latest conversation first, its title first, then its latest message first. */
  readonly hits: readonly SearchHit[];
  /** `all`: nothing was left out. `hits`: there were as many as were wanted. `rows`: older messages were not looked at. */
  readonly end: 'all' | 'hits' | 'rows';
}

export interface SearchOptions {
  readonly query: string;
  /** Most hits. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface Search {
  readonly words: readonly string[];
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly hits: SearchHit[];
  rowsLeft: number;
}

/**
 * Titles, and messages of every branch, of the scope's conversations in which all words of the query occur, in any case and width. Reads at most
 * about 5,000 content rows. Throws AbortError between two pages once the signal fires, and storage codes.
 */
export async function searchConversations(
  database: JackdawDatabase,
  scope: ConversationScope,
  { query, limit, signal }: SearchOptions,
): Promise<SearchResult> {
  const search: Search = { words: searchWords(query), limit, signal, hits: [], rowsLeft: MAX_CONTENT_ROWS };
  if (search.words.length === 0) return { hits: [], end: 'all' };
  let isWhole = true;
  for (const conversation of await latestFirst(database, scope)) {
    signal.throwIfAborted();
    searchTitle(search, conversation);
    if (!(await searchMessages(database, conversation, search))) isWhole = false;
    if (search.hits.length >= limit) return { hits: search.hits.slice(0, limit), end: 'hits' };
  }
  return { hits: search.hits, end: isWhole ? 'all' : 'rows' };
}

function latestFirst(database: JackdawDatabase, scope: ConversationScope): Promise<readonly FoundConversation[]> {
  return stored(database, () =>
    database.transaction('r', [database.conversations, database.sides], async () => {
      const rows = await livingConversations(database, scope).toArray();
      return withTitles(
        database,
        // What is pinned is not newer for it.
        rows.sort((a, b) => b.updatedAt - a.updatedAt),
      );
    }),
  );
}

function searchTitle({ words, hits }: Search, { id, title, updatedAt }: FoundConversation): void {
  if (!holdsAll(foldText(title), words)) return;
  hits.push({ conversationId: id, title, messageId: null, at: updatedAt, snippet: excerptAround(title, words, SNIPPET_CHARACTERS) });
}

/** Whether all of its messages were looked at. */
async function searchMessages(database: JackdawDatabase, conversation: FoundConversation, search: Search): Promise<boolean> {
  if (search.rowsLeft <= 0) return false;
  const entries = await stored(database, () => readEntries(database, conversation.id));
  const living = entries.filter(({ status }) => status !== 'deleted').reverse();
  for (let start = 0; start < living.length; start += PAGE_MESSAGES) {
    search.signal.throwIfAborted();
    if (search.rowsLeft <= 0 || search.hits.length >= search.limit) return false;
    const page = living.slice(start, start + PAGE_MESSAGES);
    const contents = await readPage(database, conversation.id, page);
    // Deleted since the search began.
    if (contents === undefined) return true;
    for (const [index, { id, createdAt }] of page.entries()) {
      const steps = contents[index] ?? [];
      search.rowsLeft -= steps.length;
      const text = textOf(steps.flatMap(({ parts }) => parts));
      if (!holdsAll(foldText(text), search.words)) continue;
      const snippet = excerptAround(text, search.words, SNIPPET_CHARACTERS);
      search.hits.push({ conversationId: conversation.id, title: conversation.title, messageId: id, at: createdAt, snippet });
    }
  }
  return true;
}

/** The steps of some messages, or undefined where their conversation is deleted. */
function readPage(database: JackdawDatabase, conversationId: string, page: readonly StructureEntry[]) {
  return stored(database, () =>
    database.transaction('r', [database.conversations, database.content], async () => {
      const row = await database.conversations.get(conversationId);
      if (row === undefined || row.deletedAt > 0) return undefined;
      return Promise.all(page.map(({ id }) => readSteps(database, id)));
    }),
  );
}
