import type { Attachment } from 'svelte/attachments';
import { drawnRows } from './drawn-rows';

/** This close to the end the reader counts as being there: about two lines. */
const END_DISTANCE_PX = 48;
/** What the reader can move the view with, and how long the move of it may take to show. */
const ACTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
const ACT_MS = 300;
const KEYS_UP: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

interface Anchor {
  readonly element: Element;
  readonly top: number;
}

/**
 * Where the reader is in a thread. At the end, the view follows what is written; a move up by wheel, finger, key or scroll bar ends that,
 * and coming back to the end starts it again. Away from the end, what the reader looks at stays where it is when messages are added above.
 */
export class ThreadScroll {
  /** Called when the reader has moved or something has another size. */
  onMove: () => void = () => undefined;
  #following = $state(true);
  #hasNewBelow = $state(false);
  #viewport: HTMLElement | undefined;
  #column: HTMLElement | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #aim: string | undefined;
  #lastTop = 0;
  #lastHeight = 0;
  #actedAt = -Infinity;
  #anchor: Anchor | undefined;

  get following(): boolean {
    return this.#following;
  }

  /** The scrolling element and the one that holds the messages, while they are in the page. */
  get elements(): { readonly viewport: HTMLElement; readonly column: HTMLElement } | undefined {
    return this.#viewport === undefined || this.#column === undefined ? undefined : { viewport: this.#viewport, column: this.#column };
  }

  /** Whether something was added below while the reader was away from the end. */
  get hasNewBelow(): boolean {
    return this.#hasNewBelow;
  }

  /** To the end, and follow from there; `focus` for a button that is gone once the end is reached. */
  toEnd(options: { readonly focus?: boolean } = {}): void {
    this.#following = true;
    this.#hasNewBelow = false;
    this.#pin();
    if (options.focus === true) this.#viewport?.focus({ preventScroll: true });
  }

  /** To one message, where the view then stays; whether it is drawn already. */
  reveal(rowId: string): boolean {
    this.#following = false;
    this.#aim = rowId;
    const isDrawn = this.#rows().some((row) => row.dataset['row'] === rowId);
    if (isDrawn) this.afterChange();
    return isDrawn;
  }

  /** To a place in what is drawn, if it is out of sight. */
  revealRange(range: Range): void {
    const view = this.#viewport?.getBoundingClientRect();
    const { top, bottom } = range.getBoundingClientRect();
    if (this.#viewport === undefined || view === undefined || (top >= view.top && bottom <= view.bottom)) return;
    this.#viewport.scrollTop += top - view.top - view.height / 3;
    this.#remember();
  }

  /** What was seen is left behind: with the next change, this row is at the top instead. */
  aim(rowId: string): void {
    this.#aim = rowId;
  }

  /** The answer has grown and is in the page. Following here, before the frame is made, spares a second frame for the event of the move. */
  grown(): void {
    if (this.#following) this.#follow();
    if (!this.#following) this.#hasNewBelow = true;
  }

  /** For the scrolling element; its first child holds the messages. */
  readonly attach: Attachment<HTMLElement> = (viewport) => {
    this.#viewport = viewport;
    const column = viewport.firstElementChild;
    if (column instanceof HTMLElement) this.#column = column;
    // A reader without a mouse scrolls with keys, and needs the focus for it.
    viewport.tabIndex = 0;
    const observer = new ResizeObserver((entries) => {
      this.#resized(entries.some(({ target }) => target === viewport));
    });
    observer.observe(viewport);
    if (column !== null) observer.observe(column);
    viewport.addEventListener('scroll', this.#scrolled, { passive: true });
    viewport.addEventListener('wheel', this.#wheeled, { passive: true });
    for (const act of ACTS) viewport.addEventListener(act, this.#acted, { passive: true });
    return () => {
      observer.disconnect();
      clearTimeout(this.#timer);
      viewport.removeEventListener('scroll', this.#scrolled);
      viewport.removeEventListener('wheel', this.#wheeled);
      for (const act of ACTS) viewport.removeEventListener(act, this.#acted);
      this.#viewport = undefined;
      this.#column = undefined;
    };
  };

  /** Before the list of messages changes: remembers what the reader looks at. */
  beforeChange(): void {
    this.#anchor = this.#following ? undefined : this.#firstVisible();
  }

  /** After it changed, before it is painted: puts that back where it was. */
  afterChange(): void {
    const viewport = this.#viewport;
    if (viewport === undefined) return;
    const aimed = this.#rows().find((row) => row.dataset['row'] === this.#aim);
    if (this.#following) this.#follow();
    else if (aimed !== undefined) {
      viewport.scrollTop += aimed.getBoundingClientRect().top - viewport.getBoundingClientRect().top;
      this.#remember();
    } else if (this.#anchor?.element.isConnected === true) {
      const moved = this.#anchor.element.getBoundingClientRect().top - this.#anchor.top;
      if (Math.abs(moved) >= 1) viewport.scrollTop += moved;
      this.#remember();
    }
    this.#anchor = undefined;
    if (this.#following || aimed !== undefined) this.#aim = undefined;
  }

  readonly #acted = (event: Event): void => {
    // A press on a button of a message moves nothing; one on the scroll bar is one on the view itself.
    if (event instanceof KeyboardEvent && !KEYS_UP.has(event.key)) return;
    if (event.type === 'pointerdown' && event.target !== this.#viewport) return;
    this.#actedAt = performance.now();
  };

  readonly #wheeled = (event: WheelEvent): void => {
    const viewport = this.#viewport;
    if (viewport !== undefined && event.deltaY < 0 && viewport.scrollTop > 0) this.#following = false;
  };

  readonly #scrolled = (): void => {
    const viewport = this.#viewport;
    if (viewport === undefined) return;
    const { scrollTop, scrollHeight, clientHeight } = viewport;
    const distance = scrollHeight - clientHeight - scrollTop;
    if (this.#hasLeft(viewport)) this.#following = false;
    else if (scrollTop > this.#lastTop && distance <= END_DISTANCE_PX) {
      this.#following = true;
      this.#hasNewBelow = false;
    }
    this.#remember();
    this.onMove();
  };

  #resized(isWindow: boolean): void {
    const viewport = this.#viewport;
    if (viewport === undefined) return;
    if (this.#following) this.#follow();
    else {
      const { scrollTop, scrollHeight, clientHeight } = viewport;
      // A larger window may show the end; content that became shorter only brings it nearer, and the reader has not gone there.
      if (scrollHeight - clientHeight - scrollTop <= 1 && scrollTop >= this.#lastTop - 1) this.#following = true;
      this.#remember();
    }
    // What grows at the end moves the view, and is looked at then.
    if (this.#following && !isWindow) return;
    // Not here: what it draws has another size again, which the observer could not tell any more. Nor with the next frame, which would be made
    // for this alone each time an answer grows.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.onMove();
    });
  }

  /**
   * Whether the reader went up since the place was noted. A window that became taller moves the position too, and content that became shorter,
   * even if it is longer again by now: where anything has changed, only somebody who has just done something can have gone.
   */
  #hasLeft({ scrollTop, scrollHeight, clientHeight }: HTMLElement): boolean {
    if (scrollTop >= Math.min(this.#lastTop, this.#lastHeight - clientHeight) - 1) return false;
    return scrollHeight === this.#lastHeight || performance.now() - this.#actedAt < ACT_MS;
  }

  /** To the end, unless the reader has just left it and the event of that is still to come. */
  #follow(): void {
    if (this.#viewport === undefined) return;
    if (this.#hasLeft(this.#viewport)) this.#following = false;
    else this.#pin();
  }

  #pin(): void {
    const viewport = this.#viewport;
    if (viewport === undefined) return;
    viewport.scrollTop = viewport.scrollHeight;
    this.#remember();
  }

  #remember(): void {
    this.#lastTop = this.#viewport?.scrollTop ?? 0;
    this.#lastHeight = this.#viewport?.scrollHeight ?? 0;
  }

  #rows(): readonly HTMLElement[] {
    return this.#column === undefined ? [] : drawnRows(this.#column);
  }

  #firstVisible(): Anchor | undefined {
    const viewport = this.#viewport;
    if (viewport === undefined) return undefined;
    const edge = viewport.getBoundingClientRect().top;
    for (const element of this.#rows()) {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > edge) return { element, top };
    }
    return undefined;
  }
}
