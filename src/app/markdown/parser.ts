import type { MarkdownIt as Parser, StateBlock, Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { depthLimit } from './depth-limit';
import { footnoteRules, footnotesInPlace } from './footnote-rules';
import { labelLimit } from './label-limit';
import { isAcceptedAddress } from './link-policy';
import { mathRules } from './math-rules';

/** Where a link reference leads, by its normalised label. */
export type References = Readonly<Record<string, { readonly title: string; readonly href: string }>>;

/** Where a top-level block begins. */
export interface BlockStart {
  readonly line: number;
  readonly type: 'definition' | 'paragraph' | 'list' | 'quote' | 'table' | 'other';
  /** Lines on which the items of a list, the blocks of a quote or the rows of a table begin. */
  readonly parts: readonly number[];
}

/** A parsed piece of text. */
export interface ParsedBlock {
  readonly tokens: readonly Token[];
  /** Contents of footnotes written in place, `^[like this]`, in the order of the `id` of their references. */
  readonly inlineFootnotes: readonly (readonly Token[])[];
  /** Link references that this piece defines. */
  readonly references: References;
}

const starts = new WeakMap<object, { line: number; tokensBefore: number }[]>();

/** Takes no characters; it only sees where each top-level block begins, definitions without any output included. */
function noteStart(state: StateBlock, startLine: number): boolean {
  if (state.level === 0 && state.parentType === 'root') starts.get(state.env)?.push({ line: startLine, tokensBefore: state.tokens.length });
  return false;
}

function makeParser(): Parser {
  const parser = new MarkdownIt({ html: false, linkify: true })
    .use(cjkFriendly)
    .use(footnoteRules)
    .use(mathRules)
    .use(depthLimit)
    .use(labelLimit);
  // Bare names such as `main.py` or `README.md` would become links to country domains.
  parser.linkify.set({ fuzzyLink: false });
  parser.validateLink = isAcceptedAddress;
  parser.block.ruler.before('table', 'note_start', noteStart, { alt: [] });
  return parser;
}

const parser = makeParser();

/** Line ends and zero characters as the parser sees them, so that positions in the text stay valid. */
export function normaliseText(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  return lines.includes('\0') ? lines.replaceAll('\0', '\uFFFD') : lines;
}

/** The form in which labels of link references are compared. */
export function normaliseLabel(label: string): string {
  return parser.utils.normalizeReference(label);
}

/** `text` with its escaped characters and entities as the characters they stand for. */
export function unescapeText(text: string): string {
  return parser.utils.unescapeAll(text);
}

/** Where the top-level blocks of `text` begin, in order. Reads the block structure only. */
export function findBlockStarts(text: string): readonly BlockStart[] {
  const environment = {};
  const found: { line: number; tokensBefore: number }[] = [];
  starts.set(environment, found);
  const tokens: Token[] = [];
  parser.block.parse(text, parser, environment, tokens);
  return found.map(({ line, tokensBefore }, at) => {
    const type = blockType(tokens[tokensBefore]);
    return { line, type, parts: partLines(type, tokens.slice(tokensBefore, found[at + 1]?.tokensBefore)) };
  });
}

function blockType(first: Token | undefined): BlockStart['type'] {
  switch (first?.type) {
    case 'reference_definition':
      return 'definition';
    case 'paragraph_open':
      return 'paragraph';
    case 'bullet_list_open':
    case 'ordered_list_open':
      return 'list';
    case 'blockquote_open':
      return 'quote';
    case 'table_open':
      return 'table';
    default:
      return 'other';
  }
}

function partLines(type: BlockStart['type'], tokens: readonly Token[]): readonly number[] {
  if (type !== 'list' && type !== 'quote' && type !== 'table') return [];
  // The rows of a table stand in its body; its head is no part that could stand alone.
  const level = type === 'table' ? 2 : 1;
  const parts = tokens.filter((token) => token.level === level && token.nesting >= 0 && (type !== 'table' || token.type === 'tr_open'));
  return parts.slice(type === 'table' ? 1 : 0).flatMap(({ map }) => (map == null ? [] : [map[0]]));
}

/** How many characters of `text` are words with markup: everything but code and formulas of their own. Reads the block structure only. */
export function countWords(text: string): number {
  const tokens: Token[] = [];
  parser.block.parse(text, parser, {}, tokens);
  return tokens.reduce((sum, { type, content }) => sum + (type === 'inline' ? content.length : 0), 0);
}

/** Parses one top-level block. `known` are the link references of the rest of the document; they win over those of the block itself. */
export function parseBlock(source: string, known: References): ParsedBlock {
  // The known ones are inherited, so that what the block adds can be told apart without comparing lists.
  const references: Record<string, { title: string; href: string }> = {};
  Object.setPrototypeOf(references, known);
  const environment = { references };
  const tokens = parser.parse(source, environment);
  return { tokens, inlineFootnotes: footnotesInPlace(environment), references: { ...references } };
}
