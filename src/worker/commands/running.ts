import { readRuns } from '../../storage/runs';
import type { Command } from '../context';

/** Conversations with a run in any tab: each has its row while it runs. */
export const running: Command<Record<string, never>, readonly string[]> = async (_args, { environment }) =>
  (await readRuns(environment.database)).map((row) => row.conversationId);
