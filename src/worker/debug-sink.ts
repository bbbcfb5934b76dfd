import type { DebugSink } from '../generation/hooks/debug-log';

/** Lines on their way to the disk, in order; those of one moment are written together. `failed` hears of the first failure alone. */
export function debugSink(failed: (error: unknown) => void): DebugSink {
  let waiting: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  let hasFailed = false;

  async function flush(): Promise<void> {
    const lines = waiting;
    if (lines.length === 0) return;
    waiting = [];
    try {
      await (await import('./debug-files')).appendLines(lines);
    } catch (error) {
      if (!hasFailed) failed(error);
      hasFailed = true;
    }
  }

  return {
    append: (line) => {
      waiting.push(JSON.stringify(line));
      writing = writing.then(flush);
    },
  };
}
