import { drawnRows } from './drawn-rows';
import { RowHeights, type Row } from './row-heights';

/** Drawn at once when a thread opens: about a screen. The rest of what is wanted comes a few rows at a time. */
const FIRST_ROWS = 4;
const STEP_ROWS = 2;
const STEP_PAUSE_MS = 16;
/** In heights of the window: rows are drawn so far around what is seen, … */
const AHEAD = 1.5;
/** … again when less than this is left, … */
const LEAST = 0.5;
/** … and taken away when they lie further than this. */
const MOST = 4;
/** A row that holds the focus or the selection stays, if it is not further away than this. */
const HELD_ROWS = 200;

interface Range {
  readonly first: number;
  /** Not in it. */
  readonly last: number;
}

/** For what was looked whether enough is drawn. */
interface Checked {
  readonly scrollHeight: number;
  readonly rows: readonly Row[];
}

const UNCHECKED: Checked = { scrollHeight: 0, rows: [] };

/** What the window needs to know of the page. */
export interface ThreadView {
  readonly following: boolean;
  /** The scrolling element, and the one whose children with `data-row` are the drawn rows. */
  readonly elements: { readonly viewport: HTMLElement; readonly column: HTMLElement } | undefined;
  /** Puts the row with this id to the top of what is seen, as soon as it is drawn. */
  aim(rowId: string): void;
}

/**
 * Which rows of a thread are in the page: those in sight and some around them, whatever its length. The others are the height of a spacer. Rows
 * stand in the normal flow, so that a growing answer costs nothing here, and text is selected, copied and found as in any page.
 */
export class ThreadWindow {
  readonly #view: ThreadView;
  readonly #rows: () => readonly Row[];
  readonly #heights = new RowHeights();
  #first = $state(0);
  /** Infinity: up to the end, also when the end moves on. */
  #last = $state(Infinity);
  #wanted: Range = { first: 0, last: Infinity };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #width = 0;
  #checked: Checked = UNCHECKED;

  constructor(view: ThreadView, rows: () => readonly Row[]) {
    this.#view = view;
    this.#rows = rows;
    this.#first = Math.max(0, rows().length - FIRST_ROWS);
  }

  /** Places of the rows that are in the page. */
  get range(): Range {
    const { length } = this.#rows();
    const last = Math.min(this.#last, length);
    return { first: Math.max(0, Math.min(this.#first, last - 1)), last };
  }

  /** Heights in CSS pixels of what stands in for the rows that are not in the page. */
  get spacers(): { readonly above: number; readonly below: number } {
    const rows = this.#rows();
    const { first, last } = this.range;
    return { above: this.#heights.sum(rows, 0, first), below: this.#heights.sum(rows, last, rows.length) };
  }

  heightOf(row: Row): number {
    return this.#heights.of(row);
  }

  /** The reader has moved, or something has another size. Cheap where nothing has to change. */
  update(): void {
    const { elements, following } = this.#view;
    const rows = this.#rows();
    if (elements === undefined || rows.length === 0 || elements.viewport.clientHeight === 0) return;
    this.#noteWidth(elements.column);
    const { clientHeight: height, scrollHeight } = elements.viewport;
    // A growing answer asks again and again, and for a long time nothing is too far away.
    const isNear = Math.abs(scrollHeight - this.#checked.scrollHeight) < height * LEAST;
    const isAtEnd = following && this.range.last === rows.length;
    if (isAtEnd && isNear && this.#checked.rows === rows && this.#timer === undefined) return;
    this.#checked = { scrollHeight, rows };
    const seen = this.#seen(elements.viewport, elements.column, rows);
    const range = this.range;
    const heights = this.#heights;
    const isEnough =
      heights.before(rows, seen.first, height * LEAST) >= range.first && heights.after(rows, seen.last, height * LEAST) <= range.last;
    const isTooMuch =
      heights.sum(rows, range.first, seen.first) > height * MOST || heights.sum(rows, seen.last, range.last) > height * MOST;
    if (isEnough && !isTooMuch && this.#timer === undefined) return;
    const held = this.#held(elements.column, seen);
    const first = Math.min(held.first, heights.before(rows, seen.first, height * AHEAD));
    const last = Math.max(held.last, heights.after(rows, seen.last, height * AHEAD));
    this.#wanted = { first, last: following || last >= rows.length ? Infinity : last };
    // What is seen or held is drawn now; of the rest what is there already, and some more with each step.
    const isApart = range.last <= held.first || range.first >= held.last;
    if (isApart) this.#view.aim(rows[seen.first]?.id ?? '');
    this.#set({
      first: isApart ? held.first : Math.max(first, Math.min(range.first, held.first)),
      last: isApart ? held.last : Math.min(this.#wanted.last, Math.max(following ? Infinity : this.#last, held.last)),
    });
    this.#grow();
  }

  /** Draws the row at `place` and its neighbours. */
  show(place: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wanted = { first: Math.max(0, place - STEP_ROWS), last: Math.min(this.#rows().length, place + FIRST_ROWS) };
    this.#set(this.#wanted);
  }

  /** Nothing is drawn any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #set({ first, last }: Range): void {
    if (first === this.#first && last === this.#last) return;
    this.#note();
    this.#first = first;
    this.#last = last;
  }

  /** A step towards what is wanted, and another one later. */
  #grow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { first, last } = this.#wanted;
    if (this.#first <= first && this.#last >= last) {
      // They may be less tall than was guessed.
      this.#checked = UNCHECKED;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#set({
        first: Math.max(this.#wanted.first, this.#first - STEP_ROWS),
        last: Math.min(this.#wanted.last, this.#last + STEP_ROWS),
      });
      this.#grow();
    }, STEP_PAUSE_MS);
  }

  /** The rows in sight, also those that should be and are not drawn. */
  #seen(viewport: HTMLElement, column: HTMLElement, rows: readonly Row[]): Range {
    const { first, last } = this.range;
    const view = viewport.getBoundingClientRect();
    const drawn = drawnRows(column).map((row) => row.getBoundingClientRect());
    const [top, bottom] = [drawn[0]?.top ?? view.top, drawn.at(-1)?.bottom ?? view.top];
    if (drawn.length === 0 || bottom < view.top || top > view.bottom) {
      // Far away, by the scroll bar or a key: only the heights tell where.
      const place = this.#heights.placeAt(rows, viewport.scrollTop);
      return { first: place, last: this.#heights.after(rows, place, view.height) };
    }
    const from = drawn.findIndex((rect) => rect.bottom > view.top);
    const to = drawn.findLastIndex((rect) => rect.top < view.bottom);
    return {
      first: top > view.top ? this.#heights.before(rows, first, top - view.top) : first + from,
      last: bottom < view.bottom ? this.#heights.after(rows, last, view.bottom - bottom) : first + to + 1,
    };
  }

  /** The rows in sight, and on to those that hold the focus or an end of the selection. */
  #held(column: HTMLElement, seen: Range): Range {
    const selection = getSelection();
    const nodes = [document.activeElement, ...(selection?.isCollapsed === false ? [selection.anchorNode, selection.focusNode] : [])];
    let { first, last } = seen;
    for (const node of nodes) {
      const element = node instanceof Element ? node : node?.parentElement;
      const row = element?.closest<HTMLElement>('[data-row]');
      if (row == null || !column.contains(row)) continue;
      const place = this.range.first + drawnRows(column).indexOf(row);
      if (place >= seen.first - HELD_ROWS) first = Math.min(first, place);
      if (place < seen.last + HELD_ROWS) last = Math.max(last, place + 1);
    }
    return { first, last };
  }

  /** Remembers how tall the drawn rows are before some of them go. */
  #note(): void {
    const column = this.#view.elements?.column;
    if (column === undefined) return;
    const rows = this.#rows();
    const { first } = this.range;
    for (const [at, element] of drawnRows(column).entries()) {
      const row = rows[first + at];
      // A row that waits for its content has no height of its own.
      if (row !== undefined && element.dataset['row'] === row.id && element.dataset['waiting'] === undefined)
        this.#heights.note(row, element.offsetHeight);
    }
  }

  #noteWidth(column: HTMLElement): void {
    const { clientWidth } = column;
    if (this.#width !== 0 && this.#width !== clientWidth) this.#heights.forget();
    this.#width = clientWidth;
  }
}
