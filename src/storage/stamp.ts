/** Who writes, and when. Clocks of rows are made from it with `tick`. */
export interface Stamp {
  /** Epoch ms. */
  readonly at: number;
  /** Id of this browser profile. */
  readonly device: string;
}
