import { AppError, type JsonObject } from '../../core/errors';
import { adjust, applyLearnt, type Adjustment } from './adjustments';

/** What hosts were found to refuse, as long as the worker lives: ids of adjustments by host and model. */
export type LearntAdjustments = Map<string, ReadonlySet<string>>;

export interface AdjustedRequest {
  readonly body: JsonObject;
  /** Host and model: what one of them refuses says nothing about another. */
  readonly place: string;
  readonly learnt: LearntAdjustments;
  readonly adjustments: readonly Adjustment[];
}

/**
 * Opens with a body that leaves out what the place is known to refuse, and once more after each refusal that a change answers. A change is
 * tried once, and remembered when it helped. Throws what `open` throws where no change helps.
 */
export async function openAdjusted<Opened>(request: AdjustedRequest, open: (body: JsonObject) => Promise<Opened>): Promise<Opened> {
  const { place, learnt, adjustments } = request;
  const known = learnt.get(place) ?? new Set<string>();
  const tried = new Set<string>();
  let body = applyLearnt(request.body, known, adjustments);
  for (;;) {
    try {
      const opened = await open(body);
      if (tried.size > 0) learnt.set(place, new Set([...known, ...tried]));
      return opened;
    } catch (error) {
      const change = error instanceof AppError ? adjust(body, error, tried, adjustments) : undefined;
      if (change === undefined) throw error;
      tried.add(change.id);
      body = change.body;
    }
  }
}
