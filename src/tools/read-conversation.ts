import * as v from 'valibot';
import { readConversationPage, type FoundMessage } from '../storage/conversation-lookup';
import { defineTool } from './define-tool';
import { isoTime, scopeOf, wholeNumber } from './shared/conversation-arguments';

const MAX_MESSAGES = 50;
const USUAL_MESSAGES = 20;
const MESSAGE_CHARACTERS = 4_000;

/** Reads another conversation of the assistant as its reader sees it. Another assistant's, a deleted one and the present one are refused. */
export const readConversationTool = defineTool({
  name: 'read_conversation',
  group: 'conversations',
  approval: 'never',
  isAgentTool: true,
  description:
    'Reads another conversation with this assistant, message by message from the oldest on, as the user sees it. Get its id from recent_chats or ' +
    'conversation_search. Long messages are cut.',
  parameters: v.strictObject({
    conversation_id: v.pipe(v.string(), v.trim(), v.minLength(1), v.description('The id of the conversation.')),
    offset: wholeNumber({ min: 0, usual: 0 }, 'How many messages to skip.'),
    limit: wholeNumber({ min: 1, max: MAX_MESSAGES, usual: USUAL_MESSAGES }, 'How many messages, 1 to 50.'),
  }),
  available: () => true,
  execute: async ({ conversation_id: id, offset, limit }, { database, facts }) => {
    if (id === facts.conversationId) {
      return { failure: 'refused', text: 'That is the conversation you are in; what was said in it stands before you already.' };
    }
    const page = await readConversationPage(database, scopeOf(facts), { id, offset, limit });
    if (page === undefined) {
      return {
        failure: 'refused',
        text: `There is no conversation “${id}” with this assistant. Use an id that recent_chats or conversation_search gives.`,
      };
    }
    const { title, count, messages } = page;
    const next = offset + messages.length;
    const text = JSON.stringify({
      title,
      messages: messages.map(toEntry),
      total_messages: count,
      ...(next < count && messages.length > 0 ? { next_offset: next } : {}),
    });
    return { text, data: { kind: 'conversations', items: [{ id, title }] } };
  },
});

function toEntry({ role, createdAt, text, files }: FoundMessage) {
  return { role, date: isoTime(createdAt), text: cut(text), ...(files.length === 0 ? {} : { files: [...files] }) };
}

function cut(text: string): string {
  if (text.length <= MESSAGE_CHARACTERS) return text;
  // Not through the middle of a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(MESSAGE_CHARACTERS - 1)) ? MESSAGE_CHARACTERS - 1 : MESSAGE_CHARACTERS;
  return `${text.slice(0, end)}… [cut: ${String(text.length)} characters in all]`;
}
