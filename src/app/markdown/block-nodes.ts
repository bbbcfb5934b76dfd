import type { Token } from 'markdown-it';
import type { FootnoteKeys } from './inline-nodes';
import { toInlineNodes } from './inline-nodes';
import type { BlockNode, CellAlignment, CodeNode, FootnoteDefinition, InlineNode, ListItem, TableNode } from './nodes';
import { readLanguage } from './open-fence';
import type { ParsedBlock } from './parser';

/** A top-level block as it is drawn. */
export interface BlockContent {
  readonly nodes: readonly BlockNode[];
  /** Footnotes whose text stands in this block; drawn at the end of the document. */
  readonly definitions: readonly FootnoteDefinition[];
}

interface Reader {
  readonly tokens: readonly Token[];
  readonly keys: FootnoteKeys;
  readonly definitions: FootnoteDefinition[];
  position: number;
}

const LAST_LEVEL = 6;
const TASK = /^\[([ xX])\](?:\s|$)/;

/** Levels begin at 2: the page has a heading of level 1 already, and `#` and `##` are the same step for a message. */
function headingLevel(tag: string): 2 | 3 | 4 | 5 | 6 {
  switch (Number(tag.slice(1))) {
    case 1:
    case 2:
      return 2;
    case 3:
      return 3;
    case 4:
      return 4;
    case 5:
      return 5;
    default:
      return LAST_LEVEL;
  }
}

const inlineOf = (token: Token | undefined, keys: FootnoteKeys): readonly InlineNode[] =>
  token?.type === 'inline' ? toInlineNodes(token.children ?? [], keys) : [];

/** Without its closing line a fence holds one line less than it spans. */
function isUnclosedFence(token: Token): boolean {
  const spanned = (token.map?.[1] ?? 0) - (token.map?.[0] ?? 0);
  const held = token.content === '' ? 0 : token.content.split('\n').length - (token.content.endsWith('\n') ? 1 : 0);
  return held >= spanned - 1;
}

function readCode(token: Token): CodeNode {
  const text = token.content.endsWith('\n') ? token.content.slice(0, -1) : token.content;
  return { type: 'code', language: readLanguage(token.info), text, open: token.type === 'fence' && isUnclosedFence(token) };
}

function readAlignment(token: Token): CellAlignment {
  const style = token.attrGet('style');
  return style === 'text-align:center' ? 'center' : style === 'text-align:right' ? 'end' : 'start';
}

function readTable(reader: Reader): TableNode {
  const alignments: CellAlignment[] = [];
  const rows: (readonly InlineNode[])[][] = [];
  for (; reader.position < reader.tokens.length; reader.position++) {
    const token = reader.tokens[reader.position];
    if (token?.type === 'tr_open') rows.push([]);
    else if (token?.type === 'th_open') alignments.push(readAlignment(token));
    else if (token?.type === 'inline') rows.at(-1)?.push(inlineOf(token, reader.keys));
    else if (token?.type === 'table_close') break;
  }
  reader.position++;
  return { type: 'table', alignments, header: rows[0] ?? [], rows: rows.slice(1) };
}

/** `source` is how its first paragraph was written: `\[ ]` looks the same when it is read, but is no box. */
function readItem(children: readonly BlockNode[], source: string): ListItem {
  const first = children[0];
  const text = first?.type === 'paragraph' ? first.children[0] : undefined;
  if (first?.type !== 'paragraph' || text?.type !== 'text') return { done: null, children };
  const mark = TASK.test(source) ? TASK.exec(text.text) : null;
  if (mark === null) return { done: null, children };
  const words: readonly InlineNode[] = [{ type: 'text', text: text.text.slice(mark[0].length) }, ...first.children.slice(1)];
  return { done: mark[1] !== ' ', children: [{ ...first, children: words }, ...children.slice(1)] };
}

function readList(reader: Reader, opening: Token): BlockNode {
  const items: ListItem[] = [];
  while (reader.position < reader.tokens.length && reader.tokens[reader.position]?.type === 'list_item_open') {
    reader.position++;
    const source = reader.tokens[reader.position + 1]?.content ?? '';
    items.push(readItem(readUntil(reader, 'list_item_close'), source));
  }
  reader.position++;
  const start = opening.attrGet('start');
  return { type: 'list', start: opening.type === 'ordered_list_open' ? Number(start ?? 1) : null, items };
}

function readNode(reader: Reader, token: Token): BlockNode | null {
  const next = reader.tokens[reader.position];
  switch (token.type) {
    case 'paragraph_open':
      reader.position += 2;
      return { type: 'paragraph', tight: token.hidden, children: inlineOf(next, reader.keys) };
    case 'heading_open':
      reader.position += 2;
      return { type: 'heading', level: headingLevel(token.tag), children: inlineOf(next, reader.keys) };
    case 'bullet_list_open':
    case 'ordered_list_open':
      return readList(reader, token);
    case 'blockquote_open':
      return { type: 'quote', children: readUntil(reader, 'blockquote_close') };
    case 'table_open':
      return readTable(reader);
    case 'fence':
    case 'code_block':
      return readCode(token);
    case 'formula_block': {
      const { tex, source } = token.meta ?? {};
      return { type: 'formula-block', tex: typeof tex === 'string' ? tex : '', source: typeof source === 'string' ? source : '' };
    }
    case 'hr':
      return { type: 'rule' };
    case 'footnote_reference_open': {
      const label = token.meta?.['label'];
      const children = readUntil(reader, 'footnote_reference_close');
      if (typeof label === 'string') reader.definitions.push({ key: reader.keys.byLabel(label), children });
      return null;
    }
    default:
      return null;
  }
}

function readUntil(reader: Reader, closing: string | null): readonly BlockNode[] {
  const nodes: BlockNode[] = [];
  while (reader.position < reader.tokens.length) {
    const token = reader.tokens[reader.position++];
    if (token === undefined || token.type === closing) break;
    const node = readNode(reader, token);
    if (node !== null) nodes.push(node);
  }
  return nodes;
}

/** What is drawn for one parsed block. `offset` is its place in the document and keeps in-place footnotes of different blocks apart. */
export function toBlockContent(parsed: ParsedBlock, offset: number): BlockContent {
  const keys: FootnoteKeys = { byLabel: (label) => `label:${label}`, inPlace: (id) => `place:${offset}:${id}` };
  const reader: Reader = { tokens: parsed.tokens, keys, definitions: [], position: 0 };
  const nodes = readUntil(reader, null);
  const inPlace = parsed.inlineFootnotes.map((tokens, id): FootnoteDefinition => {
    return { key: keys.inPlace(id), children: [{ type: 'paragraph', tight: false, children: toInlineNodes(tokens, keys) }] };
  });
  return { nodes, definitions: [...reader.definitions, ...inPlace] };
}
