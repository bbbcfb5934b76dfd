/** A hybrid logical clock: wall time that never goes back on one device, and the device to break ties. */
export interface Clock {
  /** Epoch ms, raised by one where wall time stood still or went back. */
  readonly time: number;
  readonly device: string;
}

/** The next reading after `previous` at wall time `now` (epoch ms). */
export function tick(previous: Clock | undefined, now: number, device: string): Clock {
  return { time: Math.max(now, (previous?.time ?? 0) + 1), device };
}

/** Whether `a` wins over `b` when both changed the same field. */
export function isLater(a: Clock, b: Clock | undefined): boolean {
  if (b === undefined) return true;
  return a.time === b.time ? a.device > b.device : a.time > b.time;
}
