import Dexie from 'dexie';
import { textOf, type Role } from '../core/node';
import { readBranch } from './content';
import { readConversation } from './conversations';
import type { ConversationRow, JackdawDatabase } from './db';
import { stored } from './open';
import { titleOf } from './sides';

/** Rows of content that one search reads at most: beyond that an index is needed, and the search says that it stopped. */
const MAX_ROWS = 5000;
const SNIPPET_CHARACTERS = 200;
/** What stands before the words that were found. */
const LEAD_CHARACTERS = 60;

export interface FoundConversation {
  readonly id: string;
  readonly title: string;
  /** Epoch ms of the last message. */
  readonly updatedAt: number;
}

export interface ConversationHit extends FoundConversation {
  /** Id of the message; null: it was the title. */
  readonly nodeId: string | null;
  /** At most 200 characters around the first hit, which stands in square brackets. */
  readonly snippet: string;
}

export interface ConversationHits {
  readonly hits: readonly ConversationHit[];
  /** Everything was looked at. */
  readonly isComplete: boolean;
}

export interface SearchScope {
  readonly assistantId: string;
  /** The conversation that asks is left out. */
  readonly except: string;
}

/** An assistant's living conversations, pinned ones first, then the latest message first. */
export function recentConversations(database: JackdawDatabase, scope: SearchScope, limit: number): Promise<readonly FoundConversation[]> {
  return stored(database, async () => {
    const rows = await living(database, scope).limit(limit).toArray();
    return Promise.all(rows.map((row) => found(database, row)));
  });
}

/**
 * Messages of every branch, and titles, that hold all words of the query, the latest conversations first; one hit a message. Compares folded text, so
 * that it finds Chinese and accented words as they are written. Throws AbortError once the signal fires.
 */
export async function searchConversations(
  database: JackdawDatabase,
  {
    query,
    scope,
    limit,
    signal,
  }: { readonly query: string; readonly scope: SearchScope; readonly limit: number; readonly signal: AbortSignal },
): Promise<ConversationHits> {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  const hits: ConversationHit[] = [];
  let rowsLeft = MAX_ROWS;
  if (words.length === 0) return { hits, isComplete: true };
  const conversations = await stored(database, () => living(database, scope).toArray());
  for (const row of conversations) {
    signal.throwIfAborted();
    if (hits.length >= limit || rowsLeft <= 0) return { hits: hits.slice(0, limit), isComplete: false };
    const conversation = await stored(database, () => found(database, row));
    const inTitle = snippetOf(conversation.title, words);
    if (inTitle !== null) hits.push({ ...conversation, nodeId: null, snippet: inTitle });
    const contents = await stored(database, () => database.content.where('conversationId').equals(row.id).limit(rowsLeft).toArray());
    rowsLeft -= contents.length;
    const seen = new Set<string>();
    for (const { nodeId, body } of contents) {
      const snippet = seen.has(nodeId) ? null : snippetOf(textOf(body.parts), words);
      if (snippet === null) continue;
      seen.add(nodeId);
      hits.push({ ...conversation, nodeId, snippet });
    }
  }
  return { hits: hits.slice(0, limit), isComplete: hits.length <= limit };
}

export interface ReadConversation extends FoundConversation {
  /** Messages of the branch that its reader is on. */
  readonly count: number;
  readonly messages: readonly { readonly role: Role; readonly text: string }[];
}

/** Messages of one of an assistant's conversations, from `offset` on; undefined where there is none of that id. */
export async function readMessages(
  database: JackdawDatabase,
  id: string,
  { scope, offset, limit }: { readonly scope: SearchScope; readonly offset: number; readonly limit: number },
): Promise<ReadConversation | undefined> {
  const conversation = await readConversation(database, id);
  if (conversation?.assistantId !== scope.assistantId || id === scope.except) return undefined;
  const branch = await readBranch(database, id, { choose: (path) => path.slice(offset, offset + limit) });
  if (branch === undefined) return undefined;
  const { title, updatedAt } = conversation;
  const messages = branch.nodes.map(({ role, steps }) => ({ role, text: textOf(steps.flatMap(({ parts }) => parts)) }));
  return { id, title, updatedAt, count: branch.path.length, messages };
}

function living(database: JackdawDatabase, { assistantId, except }: SearchScope) {
  return database.conversations
    .where('[deletedAt+pinned+updatedAt]')
    .between([0], [0, Dexie.maxKey])
    .reverse()
    .filter((row) => row.body.assistantId === assistantId && row.id !== except);
}

async function found(database: JackdawDatabase, { id, updatedAt }: ConversationRow): Promise<FoundConversation> {
  const title = titleOf(await database.sides.get([id, 'title']));
  return { id, title: title?.text ?? '', updatedAt };
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Null where a word is missing. Folding keeps the length of nearly every text; where it does not, the snippet is taken from the folded one. */
function snippetOf(text: string, words: readonly string[]): string | null {
  const folded = fold(text);
  if (!words.every((word) => folded.includes(word))) return null;
  const source = folded.length === text.length ? text : folded;
  const [word = ''] = words;
  const at = folded.indexOf(word);
  const start = Math.max(0, at - LEAD_CHARACTERS);
  const before = source.slice(start, at);
  const hit = source.slice(at, at + word.length);
  const after = source.slice(at + word.length, start + SNIPPET_CHARACTERS - 2);
  return `${before}[${hit}]${after}`.replaceAll(/\s+/g, ' ').trim();
}
