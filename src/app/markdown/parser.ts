import type { MarkdownIt as Parser, StateBlock, StateInline, Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import footnote from 'markdown-it-footnote';
import { isAcceptedAddress } from './link-policy';
import { mathRules } from './math-rules';

/** Where a link reference leads, by its normalised label. */
export type References = Readonly<Record<string, { readonly title: string; readonly href: string }>>;

/** Where a top-level block begins; `isDefinition` for that of a link reference. */
export interface BlockStart {
  readonly line: number;
  readonly isDefinition: boolean;
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

/** Takes `[^label]` whether or not the label is defined yet: the definition comes last in a stream, and the reference must not change by it. */
function footnoteReference(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('[^', state.pos)) return false;
  const end = state.src.indexOf(']', state.pos);
  if (end <= state.pos + 2 || end >= state.posMax) return false;
  const label = state.src.slice(state.pos + 2, end);
  if (/[\s[\]]/.test(label)) return false;
  if (!silent) state.push('footnote_ref', '', 0).meta = { label };
  state.pos = end + 1;
  return true;
}

function makeParser(): Parser {
  const parser = new MarkdownIt({ html: false, linkify: true }).use(cjkFriendly).use(footnote).use(mathRules);
  // Bare names such as `main.py` or `README.md` would become links to country domains.
  parser.linkify.set({ fuzzyLink: false });
  parser.validateLink = isAcceptedAddress;
  parser.inline.ruler.at('footnote_ref', footnoteReference);
  parser.core.ruler.disable('footnote_tail');
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
  return found.map(({ line, tokensBefore }) => ({ line, isDefinition: tokens[tokensBefore]?.type === 'reference_definition' }));
}

const isTokenList = (value: unknown): value is readonly Token[] => Array.isArray(value);

function readInlineFootnotes(environment: Readonly<Record<string, unknown>>): readonly (readonly Token[])[] {
  const footnotes = environment['footnotes'];
  if (typeof footnotes !== 'object' || footnotes === null || !('list' in footnotes) || !Array.isArray(footnotes.list)) return [];
  const list: readonly unknown[] = footnotes.list;
  return list.map((entry) =>
    typeof entry === 'object' && entry !== null && 'tokens' in entry && isTokenList(entry.tokens) ? entry.tokens : [],
  );
}

/** Parses one top-level block. `known` are the link references of the rest of the document; they win over those of the block itself. */
export function parseBlock(source: string, known: References): ParsedBlock {
  // The known ones are inherited, so that what the block adds can be told apart without comparing lists.
  const references: Record<string, { title: string; href: string }> = {};
  Object.setPrototypeOf(references, known);
  const environment = { references };
  const tokens = parser.parse(source, environment);
  return { tokens, inlineFootnotes: readInlineFootnotes(environment), references: { ...references } };
}
