import * as v from 'valibot';
import { searchConversations, type SearchResult } from '../storage/conversation-search';
import { defineTool } from './define-tool';
import { isoTime, scopeOf, wholeNumber } from './shared/conversation-arguments';

const MAX_HITS = 50;
const USUAL_HITS = 15;
const MAX_QUERY_CHARACTERS = 200;

/** What the model has to know of hits that are not there. */
const NOTES: Readonly<Record<SearchResult['end'], string>> = {
  all: 'Everything was searched.',
  hits: 'The search stopped at this many hits; there may be more. Use more or other words to narrow it.',
  rows: 'There are too many messages to search all of them: of the older ones only the titles of conversations were looked at.',
};

/** Finds words in titles and messages of the assistant's other conversations. Ends between two pages when the signal fires. */
export const conversationSearch = defineTool({
  name: 'conversation_search',
  group: 'conversations',
  approval: 'never',
  isAgentTool: true,
  description:
    'Searches the user’s other conversations with this assistant: titles and every message, the latest first. All words of the query have to occur in ' +
    'one title or message, in any order and case, also inside of longer words. Hits stand in [square brackets].',
  parameters: v.strictObject({
    query: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1),
      v.maxLength(MAX_QUERY_CHARACTERS),
      v.description('One or a few words that were probably used, for example "visa Japan".'),
    ),
    limit: wholeNumber({ min: 1, max: MAX_HITS, usual: USUAL_HITS }, 'How many hits, 1 to 50.'),
  }),
  available: () => true,
  execute: async ({ query, limit }, { database, facts, signal }) => {
    const { hits, end } = await searchConversations(database, scopeOf(facts), { query, limit, signal });
    const found = hits.map(({ conversationId, title, messageId, at, snippet }) => ({
      conversation_id: conversationId,
      title,
      ...(messageId === null ? {} : { message_id: messageId }),
      date: isoTime(at),
      snippet,
    }));
    const items = [...new Map(hits.map(({ conversationId: id, title }) => [id, { id, title }])).values()];
    return { text: JSON.stringify({ hits: found, note: NOTES[end] }), data: { kind: 'conversations', items } };
  },
});
