import type { Part, ReasoningPart, TextPart } from '../../core/node';
import type { OutputTransformer } from './transformer';

const OPEN = ['<think>', '<thinking>'];
const CLOSE = ['</think>', '</thinking>'];
const CODE_OR_OPEN = /`|~~~|<think(?:ing)?>/;

/** Reasoning that a model wrote into its text between tags, and the answer behind it. */
export interface ThinkSplit {
  readonly blocks: readonly { readonly text: string; readonly isClosed: boolean }[];
  readonly answer: string;
}

/**
 * Splits leading `<think>` / `<thinking>` blocks off a text; tags later in the text are the answer's own words. A lone closing tag (the
 * opening one was part of the server's template) makes what stands before it reasoning, unless code or an opening tag came first. Until `isFinal` an end
 * that could still become a tag is held back.
 */
export function splitThinking(text: string, isFinal: boolean): ThinkSplit {
  const blocks: { text: string; isClosed: boolean }[] = [];
  let rest = text;
  for (;;) {
    const lead = rest.trimStart();
    const open = OPEN.find((tag) => lead.startsWith(tag));
    if (open === undefined) {
      if (!isFinal && OPEN.some((tag) => tag.startsWith(lead))) return { blocks, answer: '' };
      break;
    }
    const inner = lead.slice(open.length);
    const close = firstOf(inner, CLOSE);
    if (close === undefined) {
      blocks.push({ text: isFinal ? inner : holdBack(inner, CLOSE), isClosed: false });
      return { blocks, answer: '' };
    }
    blocks.push({ text: inner.slice(0, close.index), isClosed: true });
    rest = inner.slice(close.index + close.tag.length);
  }
  if (blocks.length === 0) {
    const orphan = firstOf(rest, CLOSE);
    if (orphan !== undefined && !CODE_OR_OPEN.test(rest.slice(0, orphan.index))) {
      return {
        blocks: [{ text: rest.slice(0, orphan.index), isClosed: true }],
        answer: rest.slice(orphan.index + orphan.tag.length).trimStart(),
      };
    }
    return { blocks, answer: rest };
  }
  return { blocks, answer: rest.trimStart() };
}

function firstOf(text: string, tags: readonly string[]): { index: number; tag: string } | undefined {
  return tags
    .map((tag) => ({ tag, index: text.indexOf(tag) }))
    .filter((found) => found.index >= 0)
    .sort((a, b) => a.index - b.index)[0];
}

/** Without an end that could be the beginning of a tag. */
function holdBack(text: string, tags: readonly string[]): string {
  const longest = Math.max(...tags.map((tag) => tag.length)) - 1;
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (tags.some((tag) => tag.startsWith(end))) return text.slice(0, -length);
  }
  return text;
}

/** Turns think tags at the start of an answer into reasoning parts. Later text parts are left as they are. */
export const thinkTags: OutputTransformer = {
  id: 'think-tags',
  begin() {
    // When a block began and ended is known only by watching it, and must not change from tick to tick.
    const times: { startedAt: number; endedAt?: number }[] = [];
    const toReasoning =
      (step: number, at: number, isFinal: boolean) =>
      (block: ThinkSplit['blocks'][number], index: number): ReasoningPart => {
        const time = (times[index] ??= { startedAt: at });
        if (block.isClosed || isFinal) time.endedAt ??= at;
        return { type: 'reasoning', step, text: block.text.trim(), ...time };
      };
    return {
      stored(parts, at, isFinal) {
        const index = parts.findIndex((part) => part.type === 'text');
        const first = parts[index];
        if (first?.type !== 'text') return parts;
        const split = splitThinking(first.text, isFinal && index === parts.length - 1);
        if (split.blocks.length === 0 && split.answer === first.text) return parts;
        const reasoning = split.blocks.map(toReasoning(first.step, at, isFinal)).filter((part) => part.text !== '');
        const answer: readonly TextPart[] = split.answer === '' ? [] : [{ ...first, text: split.answer }];
        return [...parts.slice(0, index), ...reasoning, ...answer, ...parts.slice(index + 1)] satisfies readonly Part[];
      },
    };
  },
};
