import Dexie from 'dexie';
import { textOf, type MediaPart, type NodeStatus, type Role } from '../core/node';
import { readBranch } from './content';
import { readConversation } from './conversations';
import type { JackdawDatabase } from './db';
import { stored } from './open';
import { titleOf } from './sides';

/** Whose conversations may be looked at, and by which one. */
export interface ConversationScope {
  readonly assistantId: string;
  /** The conversation that asks: it is never among what is found. */
  readonly exceptId: string;
}

export interface FoundConversation {
  readonly id: string;
  /** Empty where nobody gave one. */
  readonly title: string;
  /** Epoch ms of the last message. */
  readonly updatedAt: number;
}

/** A message of the branch that the reader of a conversation is on. */
export interface FoundMessage {
  readonly id: string;
  readonly role: Role;
  readonly status: NodeStatus;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly text: string;
  /** Names of the files in it. */
  readonly files: readonly string[];
}

export interface ConversationPage extends FoundConversation {
  /** Messages of the whole branch. */
  readonly count: number;
  readonly messages: readonly FoundMessage[];
}

/** Every living conversation of the scope's assistant but the one that asks: pinned ones first, then the latest message first. */
export function livingConversations(database: JackdawDatabase, { assistantId, exceptId }: ConversationScope) {
  return database.conversations
    .where('[deletedAt+pinned+updatedAt]')
    .between([0], [0, Dexie.maxKey])
    .reverse()
    .filter((row) => row.body.assistantId === assistantId && row.id !== exceptId);
}

/** Adds the titles to rows of conversations. Runs in the caller's transaction over `sides`. */
export async function withTitles(
  database: JackdawDatabase,
  rows: readonly { readonly id: string; readonly updatedAt: number }[],
): Promise<readonly FoundConversation[]> {
  const titles = await database.sides.bulkGet(rows.map(({ id }): [string, string] => [id, 'title']));
  return rows.map(({ id, updatedAt }, index) => ({ id, updatedAt, title: titleOf(titles[index])?.text ?? '' }));
}

/** The first `limit` conversations of the scope: pinned ones first, then the latest message first. */
export function recentConversations(
  database: JackdawDatabase,
  scope: ConversationScope,
  limit: number,
): Promise<readonly FoundConversation[]> {
  return stored(database, () =>
    database.transaction('r', [database.conversations, database.sides], async () =>
      withTitles(database, await livingConversations(database, scope).limit(limit).toArray()),
    ),
  );
}

/**
 * At most `limit` messages of a conversation's selected branch from `offset` on, oldest first. Undefined where the scope has no such conversation:
 * it is another assistant's, deleted, unknown, or the one that asks.
 */
export async function readConversationPage(
  database: JackdawDatabase,
  scope: ConversationScope,
  { id, offset, limit }: { readonly id: string; readonly offset: number; readonly limit: number },
): Promise<ConversationPage | undefined> {
  if (id === scope.exceptId) return undefined;
  const conversation = await readConversation(database, id);
  if (conversation?.assistantId !== scope.assistantId) return undefined;
  const branch = await readBranch(database, id, { choose: (path) => path.slice(offset, offset + limit) });
  if (branch === undefined) return undefined;
  const messages = branch.nodes.map(({ id: nodeId, role, status, createdAt, steps }) => {
    const parts = steps.flatMap((step) => step.parts);
    const files = parts.filter((part): part is MediaPart => part.type === 'media').map(({ name }) => name);
    return { id: nodeId, role, status, createdAt, text: textOf(parts), files };
  });
  return { id, title: conversation.title, updatedAt: conversation.updatedAt, count: branch.path.length, messages };
}
