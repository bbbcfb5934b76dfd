import type { BlockContent } from './block-nodes';
import { toBlockContent } from './block-nodes';
import type { Footnote } from './footnotes';
import { findReferences, numberFootnotes } from './footnotes';
import { LARGEST_BLOCK_CHARACTERS, takeBlocks } from './large-blocks';
import type { BlockNode } from './nodes';
import { reuseEqual } from './nodes';
import type { References } from './parser';
import { countWords, normaliseLabel, normaliseText, parseBlock } from './parser';
import type { TextBlock } from './split';
import { appendToFence } from './open-fence';
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
  /** Number of its first item where it goes on with a list; else null. */
  readonly firstNumber: number | null;
}

/** How a block goes on that was cut because of its size. */
interface Continuation {
  /** Stands before the rest so that it is read as a part of the same block. */
  readonly head: string;
  /** Number of the next item of a list; null where there is none. */
  readonly number: number | null;
}
const NOTHING: Continuation = { head: '', number: null };

/** Characters taken in one step: what parses and mounts in well under 50 ms on an old laptop. */
const STEP_CHARACTERS = 4_096;
/** … and in the first one, about a screen, when the code that does it has not run yet. */
const FIRST_STEP_CHARACTERS = 2_048;
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
  /** What stands at the offset as a part of the block before. */
  #continued = NOTHING;
  /** Characters from the offset on in which no end of a block was found. */
  #searched = 0;
  #finished: Entry[] = [];
  #unfinished: readonly Entry[] = [];
  #references: Record<string, { readonly title: string; readonly href: string }> = {};
  /** Finished blocks that would change if a label were defined, by label. */
  #waiting = new Map<string, Set<number>>();
  /** Finished blocks that use a label which was defined after them, and have to be parsed once more. */
  #stale = new Set<number>();
  #footnotes: readonly Footnote[] = [];

  /**
   * Takes the whole text so far, `isStreaming` while more may come. Takes one step of a long text at a time; see `isBehind`. A text that does
   * not begin with the former one is read anew, keeping what is equal.
   */
  read(text: string, isStreaming: boolean): DocumentView {
    const whole = normaliseText(text);
    if (this.#isFinished ? whole !== this.#consumed || isStreaming : !whole.startsWith(this.#consumed)) this.#restart(whole);
    const step = this.#consumed === '' ? FIRST_STEP_CHARACTERS : STEP_CHARACTERS;
    const end = stepEnd(whole, this.#consumed.length, step);
    const isPartial = end < whole.length;
    this.#consumed = whole.slice(0, end);
    if (!this.#isFinished) this.#advance(isStreaming || isPartial);
    this.#isFinished = !isStreaming && !isPartial;
    this.#refresh();
    const isBehind = isPartial || this.#stale.size > 0;
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
    this.#stale = new Set();
    this.#offset = 0;
    this.#continued = NOTHING;
    this.#searched = 0;
    this.#isFinished = false;
    this.#consumed = whole.slice(0, drawn);
  }

  #advance(mayGrow: boolean): void {
    if (mayGrow && this.#growFence(this.#consumed.slice(this.#offset))) return;
    const former = new Map(this.#unfinished.map((entry) => [entry.block.key, entry]));
    for (let hasMore = true; hasMore;) {
      const { head } = this.#continued;
      const start = this.#offset - head.length;
      const taken = takeBlocks(head + this.#consumed.slice(this.#offset), mayGrow, this.#searched);
      // What was cut off in front of the first block belongs to the block before: no other block may carry its key.
      const keyOf = (part: TextBlock): number => start + Math.max(part.offset, head.length);
      for (const part of taken.finished) this.#finish(part.source, keyOf(part), former);
      this.#unfinished = taken.unfinished.map((part, at) => {
        const isLast = at === taken.unfinished.length - 1;
        const shown = isLast && part.source.length <= LARGEST_BLOCK_CHARACTERS ? completeForDisplay(part.source) : part.source;
        return { ...this.#parse(shown, keyOf(part), isLast, former.get(keyOf(part)), this.#numberAt(keyOf(part))), source: part.source };
      });
      this.#searched = taken.searched;
      if (taken.finished.length > 0) this.#continued = taken.head === null ? NOTHING : { head: taken.head, number: this.#nextNumber() };
      this.#offset = start + (taken.end > 0 ? taken.end : head.length);
      ({ hasMore } = taken);
    }
  }

  #numberAt(key: number): number | null {
    return key === this.#offset ? this.#continued.number : null;
  }

  /** The number that the next item of the list has which was finished last. */
  #nextNumber(): number | null {
    const list = this.#finished.at(-1)?.block.nodes.at(-1);
    return list?.type === 'list' && list.start !== null ? list.start + list.items.length : null;
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

  #parse(source: string, key: number, isOpen: boolean, former: Entry | undefined, firstNumber: number | null): Entry {
    // Long code costs little, wherever it stands.
    const isTooLarge = source.length > LARGEST_BLOCK_CHARACTERS && countWords(source) > LARGEST_BLOCK_CHARACTERS;
    const parsed = parseBlock(isTooLarge ? '' : source, this.#references);
    const content = isTooLarge ? asWritten(source) : withFirstNumber(toBlockContent(parsed, key), firstNumber);
    const nodes = former === undefined ? content.nodes : reuseEqual(former.block.nodes, content.nodes);
    const isSame = former?.block.nodes === nodes && former.block.isOpen === isOpen;
    return {
      source,
      content,
      block: isSame ? former.block : { key, nodes, isOpen },
      references: parsed.references,
      footnoteKeys: findReferences(nodes),
      firstNumber,
    };
  }

  #finish(source: string, key: number, former: ReadonlyMap<number, Entry>): void {
    const entry = this.#parse(source, key, false, former.get(key), this.#numberAt(key));
    const at = this.#finished.push(entry) - 1;
    const hasWords = entry.block.nodes.some((node) => node.type !== 'code');
    for (const [, label = ''] of hasWords ? source.matchAll(LABEL) : []) {
      const name = normaliseLabel(label);
      if (Object.hasOwn(this.#references, name)) continue;
      const blocks = this.#waiting.get(name) ?? new Set();
      this.#waiting.set(name, blocks.add(at));
    }
    this.#define(entry.references);
  }

  #define(references: References): void {
    for (const [name, reference] of Object.entries(references)) {
      if (Object.hasOwn(this.#references, name)) continue;
      this.#references[name] = reference;
      for (const at of this.#waiting.get(name) ?? []) this.#stale.add(at);
      this.#waiting.delete(name);
    }
  }

  /** Parses blocks once more that stand before the definition of a link they use, as many as fit into a step. */
  #refresh(): void {
    let characters = 0;
    for (const at of this.#stale) {
      if (characters >= STEP_CHARACTERS) return;
      this.#stale.delete(at);
      const entry = this.#finished[at];
      if (entry === undefined) continue;
      this.#finished[at] = this.#parse(entry.source, entry.block.key, false, entry, entry.firstNumber);
      characters += entry.source.length;
    }
  }
}

function withFirstNumber(content: BlockContent, number: number | null): BlockContent {
  const [list, ...others] = content.nodes;
  if (number === null || list?.type !== 'list' || list.start === null) return content;
  return { ...content, nodes: [{ ...list, start: number }, ...others] };
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
