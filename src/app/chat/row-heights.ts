import type { Role } from '../../core/node';

/** A row as far as its height is concerned. */
export interface Row {
  readonly id: string;
  readonly role: Role;
}

/** Of a row that was never drawn, before any was: a question of two lines, an answer of a dozen. */
const FIRST_GUESS_PX: Readonly<Record<Role, number>> = { system: 110, user: 110, assistant: 380 };

/** An average of so many is good enough; from then on it stays, and with it the place of everything that was never drawn. */
const ENOUGH_ROWS = 20;

/** How tall the rows of a thread are: as they were drawn last, or as the others of their kind are on average. */
export class RowHeights {
  readonly #known = new Map<string, number>();
  readonly #sums: Readonly<Record<Role, { px: number; rows: number }>> = {
    system: { px: 0, rows: 0 },
    user: { px: 0, rows: 0 },
    assistant: { px: 0, rows: 0 },
  };

  /** Notes a drawn row, in CSS pixels with the distance to the next one. */
  note(row: Row, px: number): void {
    const sum = this.#sums[row.role];
    if (!this.#known.has(row.id) && sum.rows < ENOUGH_ROWS) {
      sum.px += px;
      sum.rows += 1;
    }
    this.#known.set(row.id, px);
  }

  /** Another width of the window: nothing is known any more but the averages. */
  forget(): void {
    this.#known.clear();
    for (const sum of Object.values(this.#sums)) {
      if (sum.rows === 0) continue;
      sum.px /= sum.rows;
      sum.rows = 1;
    }
  }

  of(row: Row): number {
    const { px, rows } = this.#sums[row.role];
    return this.#known.get(row.id) ?? (rows === 0 ? FIRST_GUESS_PX[row.role] : px / rows);
  }

  /** Of the rows from `first` on and before `last` together. */
  sum(rows: readonly Row[], first: number, last: number): number {
    let px = 0;
    for (let at = first; at < last; at += 1) {
      const row = rows[at];
      if (row !== undefined) px += this.of(row);
    }
    return px;
  }

  /** The place of the row at a distance from the top of the first one; the last row below the end. */
  placeAt(rows: readonly Row[], px: number): number {
    let rest = px;
    for (const [at, row] of rows.entries()) {
      rest -= this.of(row);
      if (rest > 0) continue;
      return at;
    }
    return Math.max(0, rows.length - 1);
  }

  /** The place that lies `px` before `from`. */
  before(rows: readonly Row[], from: number, px: number): number {
    let at = from;
    for (let rest = px; at > 0 && rest > 0; at -= 1) rest -= this.sum(rows, at - 1, at);
    return at;
  }

  /** The place after the row that ends `px` after `from`. */
  after(rows: readonly Row[], from: number, px: number): number {
    let at = from;
    for (let rest = px; at < rows.length && rest > 0; at += 1) rest -= this.sum(rows, at, at + 1);
    return at;
  }
}
