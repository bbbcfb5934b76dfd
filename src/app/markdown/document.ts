import type { BlockContent } from './block-nodes';
import { toBlockContent } from './block-nodes';
import type { Footnote } from './footnotes';
import { findReferences, numberFootnotes } from './footnotes';
import type { BlockNode } from './nodes';
import { reuseEqual } from './nodes';
import type { References } from './parser';
import { normaliseLabel, normaliseText, parseBlock } from './parser';
import type { TextBlock } from './split';
import { appendToFence } from './open-fence';
import { splitText } from './split';
import { completeForDisplay } from './unfinished-text';

/** A top-level block; the same object as long as nothing about it changed. */
export interface DocumentBlock {
  /** Its offset in the text: the same while streaming and afterwards. */
  readonly key: number;
  readonly nodes: readonly BlockNode[];
  /** Its last code block may still grow. */
  readonly isOpen: boolean;
}

/** What is to be drawn. */
export interface DocumentView {
  readonly blocks: readonly DocumentBlock[];
  readonly footnotes: readonly Footnote[];
  /** There is more text than was taken in one step: call `read` again when the page has had time for other things. */
  readonly isBehind: boolean;
}

interface Entry {
  readonly source: string;
  readonly content: BlockContent;
  readonly block: DocumentBlock;
  readonly references: References;
  /** Keys of the footnotes that its text refers to. */
  readonly footnoteKeys: readonly string[];
}

/** Characters taken in one step: what parses and mounts in well under 50 ms on an old laptop. */
const STEP_CHARACTERS = 4_096;
/** A single block larger than this is no prose; it is shown as it is written, because no reader needs its markup and parsing it would freeze the page. */
const LARGEST_BLOCK_CHARACTERS = 65_536;
const BEGINS_WITH_FENCE = /^\s*(?:```|~~~)/;
// Everything between brackets may be a link once its label is defined. The parser takes no longer labels either.
const LABEL = /\[((?:\\[^]|[^[\]\\]){1,999})\]/g;

/**
 * Follows a text that grows. Finished top-level blocks are parsed once; only what may still change is parsed again. Reading a text in pieces
 * ends in exactly the view that reading it at once gives.
 */
export class MarkdownDocument {
  #consumed = '';
  #isFinished = false;
  /** Offset up to which blocks are finished. */
  #offset = 0;
  #finished: Entry[] = [];
  #unfinished: readonly Entry[] = [];
  #references: Record<string, { readonly title: string; readonly href: string }> = {};
  /** Finished blocks that would change if a label were defined, by label. */
  #waiting = new Map<string, Set<number>>();
  #footnotes: readonly Footnote[] = [];

  /**
   * Takes the whole text so far, `isStreaming` while more may come. Takes one step of a long text at a time; see `isBehind`. A text that does
   * not begin with the former one is read anew, keeping what is equal.
   */
  read(text: string, isStreaming: boolean): DocumentView {
    const whole = normaliseText(text);
    if (this.#isFinished ? whole !== this.#consumed || isStreaming : !whole.startsWith(this.#consumed)) this.#restart(whole);
    // A block that reaches over several steps is parsed again in each, so its steps grow with it.
    const step = Math.max(STEP_CHARACTERS, this.#consumed.length - this.#offset);
    const end = stepEnd(whole, this.#consumed.length, step);
    const isBehind = end < whole.length;
    this.#consumed = whole.slice(0, end);
    if (!this.#isFinished) this.#advance(this.#consumed.slice(this.#offset), isStreaming || isBehind);
    this.#isFinished = !isStreaming && !isBehind;
    const entries = [...this.#finished, ...this.#unfinished];
    const references = entries.flatMap((entry) => entry.footnoteKeys);
    const definitions = entries.flatMap((entry) => entry.content.definitions);
    this.#footnotes = reuseEqual(this.#footnotes, numberFootnotes(references, definitions));
    return { blocks: entries.map((entry) => entry.block), footnotes: this.#footnotes, isBehind };
  }

  #restart(whole: string): void {
    // What was drawn is kept as a model to compare with, so that an unchanged beginning keeps its elements.
    const drawn = whole.startsWith(this.#consumed) ? this.#consumed.length : 0;
    this.#unfinished = [...this.#finished, ...this.#unfinished];
    this.#finished = [];
    this.#references = {};
    this.#waiting = new Map();
    this.#offset = 0;
    this.#isFinished = false;
    this.#consumed = whole.slice(0, drawn);
  }

  #advance(tail: string, mayGrow: boolean): void {
    if (mayGrow && this.#growFence(tail)) return;
    const split = splitText(tail);
    const start = this.#offset;
    const former = new Map(this.#unfinished.map((entry) => [entry.block.key, entry]));
    const finished = mayGrow ? split.finished : [...split.finished, ...split.unfinished];
    for (const part of finished) this.#finish(part, start, former);
    this.#offset = start + (mayGrow ? (split.unfinished[0]?.offset ?? 0) : tail.length);
    const rest = mayGrow ? split.unfinished : [];
    this.#unfinished = rest.map((part, at) => {
      const isLast = at === rest.length - 1;
      const key = start + part.offset;
      const entry = this.#parse(isLast ? completeForDisplay(part.source) : part.source, key, isLast, former.get(key));
      return { ...entry, source: part.source };
    });
  }

  /** A fence that is open and stays so only gets longer: nothing of it has to be read again. */
  #growFence(tail: string): boolean {
    const entry = this.#unfinished[0];
    if (entry === undefined || this.#unfinished.length > 1 || entry.block.key !== this.#offset) return false;
    const code = appendToFence(entry.source, tail);
    if (code === null) return false;
    const block = { key: this.#offset, nodes: [code], isOpen: true };
    this.#unfinished = [{ ...entry, source: tail, content: { nodes: block.nodes, definitions: [] }, block }];
    return true;
  }

  #parse(source: string, key: number, isOpen: boolean, former: Entry | undefined): Entry {
    const isTooLarge = source.length > LARGEST_BLOCK_CHARACTERS && !BEGINS_WITH_FENCE.test(source);
    const parsed = parseBlock(isTooLarge ? '' : source, this.#references);
    const content = isTooLarge ? asWritten(source) : toBlockContent(parsed, key);
    const nodes = former === undefined ? content.nodes : reuseEqual(former.block.nodes, content.nodes);
    const isSame = former?.block.nodes === nodes && former.block.isOpen === isOpen;
    return {
      source,
      content,
      block: isSame ? former.block : { key, nodes, isOpen },
      references: parsed.references,
      footnoteKeys: findReferences(nodes),
    };
  }

  #finish(part: TextBlock, start: number, former: ReadonlyMap<number, Entry>): void {
    const key = start + part.offset;
    const entry = this.#parse(part.source, key, false, former.get(key));
    const at = this.#finished.push(entry) - 1;
    const hasWords = entry.block.nodes.some((node) => node.type !== 'code');
    for (const [, label = ''] of hasWords ? part.source.matchAll(LABEL) : []) {
      const name = normaliseLabel(label);
      if (Object.hasOwn(this.#references, name)) continue;
      const blocks = this.#waiting.get(name) ?? new Set();
      this.#waiting.set(name, blocks.add(at));
    }
    this.#define(entry.references);
  }

  /** Blocks that stand before the definition of a link they use are parsed once more. */
  #define(references: References): void {
    const changed = new Set<number>();
    for (const [name, reference] of Object.entries(references)) {
      if (Object.hasOwn(this.#references, name)) continue;
      this.#references[name] = reference;
      for (const at of this.#waiting.get(name) ?? []) changed.add(at);
      this.#waiting.delete(name);
    }
    for (const at of changed) {
      const entry = this.#finished[at];
      if (entry !== undefined) this.#finished[at] = this.#parse(entry.source, entry.block.key, false, entry);
    }
  }
}

function asWritten(source: string): BlockContent {
  return { nodes: [{ type: 'code', language: '', text: source.trimEnd(), open: false }], definitions: [] };
}

/** The end of the next step: at the end of a line where there is one, and never between the halves of one character. */
function stepEnd(text: string, from: number, step: number): number {
  const end = from + step;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf('\n', end) + 1;
  if (line > from) return line;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end + 1 : end;
}
