import type { Token } from 'markdown-it';
import { describeLink, readImage, readLink } from './link-policy';
import type { ImageNode, InlineNode } from './nodes';

/** Names the footnotes of one top-level block; the text of an in-place footnote is found by the name. */
export interface FootnoteKeys {
  /** For `[^label]`. */
  readonly byLabel: (label: string) => string;
  /** For the `id`-th `^[text]` of the block. */
  readonly inPlace: (id: number) => string;
}

type Container = 'strong' | 'emphasis' | 'strikethrough';
const CONTAINERS: Readonly<Record<string, Container>> = { strong_open: 'strong', em_open: 'emphasis', s_open: 'strikethrough' };

interface Frame {
  readonly children: InlineNode[];
  /** Null where the children are those of the frame around it, too. */
  readonly close: ((children: readonly InlineNode[]) => readonly InlineNode[]) | null;
}

/** Emphasis is drawn so deep in one another; nobody sees more of it, and thousands of levels would be the end of the page. */
const DEEPEST_FRAME = 12;

/** The words of a list of nodes, as a reader sees them. */
export function plainText(nodes: readonly InlineNode[]): string {
  return nodes.map(nodeText).join('');
}

function nodeText(node: InlineNode): string {
  switch (node.type) {
    case 'text':
    case 'inline-code':
      return node.text;
    case 'break':
      return '\n';
    case 'strong':
    case 'emphasis':
    case 'strikethrough':
    case 'link':
      return plainText(node.children);
    case 'formula':
    case 'footnote-reference':
      return node.source;
    case 'image':
      return node.alt;
  }
}

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');
const readAttribute = (token: Token, name: string): string => readText(token.attrGet(name));

/** Appends so that neighbouring characters share one node: a word that the parser took in pieces is still one word in the page. */
function append(children: InlineNode[], nodes: readonly InlineNode[]): void {
  for (const node of nodes) {
    const last = children.at(-1);
    if (node.type === 'text' && last?.type === 'text') children[children.length - 1] = { type: 'text', text: last.text + node.text };
    else if (node.type !== 'text' || node.text !== '') children.push(node);
  }
}

function collectImages(nodes: readonly InlineNode[]): readonly ImageNode[] {
  return nodes.flatMap((node) => (node.type === 'image' ? [node] : 'children' in node ? collectImages(node.children) : []));
}

/** Pictures have a button, so inside a link only their words stay, and the cards follow it. */
function withoutImages(nodes: readonly InlineNode[]): readonly InlineNode[] {
  return nodes.map((node): InlineNode => {
    if (node.type === 'image') return { type: 'text', text: node.alt };
    return 'children' in node ? { ...node, children: withoutImages(node.children) } : node;
  });
}

function makeLink(href: string, children: readonly InlineNode[]): readonly InlineNode[] {
  const images = collectImages(children);
  const words = images.length > 0 ? withoutImages(children) : children;
  const target = readLink(href);
  // A relative address means nothing here, but what it says may matter.
  if (target === null)
    return [...words, ...(href === '' || href.startsWith('#') ? [] : [{ type: 'text', text: ` (${href})` } as const]), ...images];
  const text = plainText(words);
  const label = text.trim() === '' ? [{ type: 'text', text: target.host } as const] : words;
  return [{ type: 'link', href: target.href, ...describeLink(target, plainText(label)), children: label }, ...images];
}

function leaf(token: Token, keys: FootnoteKeys): readonly InlineNode[] {
  switch (token.type) {
    case 'code_inline':
      return [{ type: 'inline-code', text: token.content }];
    case 'softbreak':
      return [{ type: 'text', text: '\n' }];
    case 'hardbreak':
      return [{ type: 'break' }];
    case 'formula':
      return [
        {
          type: 'formula',
          tex: readText(token.meta?.['tex']),
          source: readText(token.meta?.['source']),
          display: token.meta?.['display'] === true,
        },
      ];
    case 'image': {
      // Where a link in a description leads is no part of the description.
      const words = (token.children ?? []).filter(({ type }) => type !== 'link_open' && type !== 'link_close');
      const alt = plainText(toInlineNodes(words, keys)).trim();
      return [readImage(readAttribute(token, 'src'), alt)];
    }
    case 'footnote_ref': {
      const label = token.meta?.['label'];
      if (typeof label === 'string') return [{ type: 'footnote-reference', key: keys.byLabel(label), source: `[^${label}]` }];
      const id = token.meta?.['id'];
      return typeof id === 'number' ? [{ type: 'footnote-reference', key: keys.inPlace(id), source: '' }] : [];
    }
    default:
      return [{ type: 'text', text: token.content }];
  }
}

/** What the tokens of one line say. Nothing of them is ever markup: what has no node of its own stays text. */
export function toInlineNodes(tokens: readonly Token[], keys: FootnoteKeys): readonly InlineNode[] {
  const root: Frame = { children: [], close: null };
  const stack: Frame[] = [root];
  const top = (): Frame => stack.at(-1) ?? root;
  for (const token of tokens) {
    if (token.nesting === 1) {
      const container = CONTAINERS[token.type];
      const href = readAttribute(token, 'href');
      if (container !== undefined && stack.length > DEEPEST_FRAME) stack.push({ children: top().children, close: null });
      else
        stack.push({
          children: [],
          close: (children) => (container === undefined ? makeLink(href, children) : [{ type: container, children }]),
        });
    } else if (token.nesting === -1 && stack.length > 1) {
      const frame = stack.pop() ?? root;
      if (frame.close !== null) append(top().children, frame.close(frame.children));
    } else append(top().children, leaf(token, keys));
  }
  return root.children;
}
