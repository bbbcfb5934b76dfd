import type { ConversationSummary } from '../../storage/conversations';
import { calendarDaysBetween } from '../locales/format';

const WEEK_DAYS = 7;

/** A heading of the list and the conversations under it. */
export interface ConversationGroup {
  /** Stable while the list changes, so that rows keep their elements. */
  readonly key: string;
  readonly heading: { readonly type: 'pinned' | 'today' | 'yesterday' | 'previous-week' } | { readonly type: 'month'; readonly at: number };
  readonly conversations: readonly ConversationSummary[];
}

/** Sorted conversations under their headings: pinned, then by the reader's calendar at `now` (epoch ms). Empty groups are left out. */
export function groupConversations(conversations: readonly ConversationSummary[], now: number): readonly ConversationGroup[] {
  const groups: { key: string; heading: ConversationGroup['heading']; conversations: ConversationSummary[] }[] = [];
  for (const conversation of conversations) {
    const heading = headingOf(conversation, now);
    const key = heading.type === 'month' ? monthKey(heading.at) : heading.type;
    const last = groups.at(-1);
    if (last?.key === key) last.conversations.push(conversation);
    else groups.push({ key, heading, conversations: [conversation] });
  }
  return groups;
}

function headingOf(conversation: ConversationSummary, now: number): ConversationGroup['heading'] {
  if (conversation.pinned) return { type: 'pinned' };
  const days = calendarDaysBetween(conversation.updatedAt, now);
  // A clock that was set back leaves conversations in the future: they are today's.
  if (days <= 0) return { type: 'today' };
  if (days === 1) return { type: 'yesterday' };
  if (days <= WEEK_DAYS) return { type: 'previous-week' };
  return { type: 'month', at: conversation.updatedAt };
}

function monthKey(at: number): string {
  const date = new Date(at);
  return `${String(date.getFullYear())}-${String(date.getMonth())}`;
}
