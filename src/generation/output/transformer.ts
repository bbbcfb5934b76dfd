import type { Part } from '../../core/node';
import type { TurnContext } from '../turn-context';

/**
 * One pass over one step's parts. `stored` always starts from the raw parts, is called once a tick with everything so far and a last
 * time with `isFinal`; what it returns is what is kept and, until then, shown.
 */
export interface OutputPass {
  stored(parts: readonly Part[], at: number, isFinal: boolean): readonly Part[];
}

/** A step of the answer's way to the disk. `begin` is called for every model step, so that a pass may remember where it is. */
export interface OutputTransformer {
  readonly id: string;
  begin(turn: TurnContext): OutputPass;
}
