import { expect, test } from 'vitest';
import { groupConversations } from '../../../src/app/history/groups';
import type { ConversationSummary } from '../../../src/storage/conversations';

const NOW = new Date(2026, 10, 30, 0, 30).getTime();
const conversation = (id: string, updatedAt: number, pinned = false): ConversationSummary => ({
  id,
  title: id,
  titleBy: null,
  pinned,
  createdAt: updatedAt,
  updatedAt,
  model: null,
});

test('conversations stand under the days of the reader’s calendar', () => {
  const groups = groupConversations(
    [
      conversation('pinned', new Date(2024, 1, 1).getTime(), true),
      conversation('ahead', NOW + 3_600_000),
      conversation('today', new Date(2026, 10, 30, 0, 1).getTime()),
      conversation('yesterday', new Date(2026, 10, 29, 23, 59).getTime()),
      conversation('week', new Date(2026, 10, 23, 1).getTime()),
      conversation('month', new Date(2026, 10, 22).getTime()),
      conversation('october', new Date(2026, 9, 31).getTime()),
      conversation('also october', new Date(2026, 9, 1).getTime()),
      conversation('last october', new Date(2025, 9, 31).getTime()),
    ],
    NOW,
  );
  expect(groups.map(({ heading, conversations }) => [heading.type, conversations.map(({ id }) => id)])).toEqual([
    ['pinned', ['pinned']],
    ['today', ['ahead', 'today']],
    ['yesterday', ['yesterday']],
    ['previous-week', ['week']],
    ['month', ['month']],
    ['month', ['october', 'also october']],
    ['month', ['last october']],
  ]);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
});

test('nothing has no groups', () => {
  expect(groupConversations([], NOW)).toEqual([]);
});
