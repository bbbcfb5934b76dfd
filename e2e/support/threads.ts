import type { Page } from '@playwright/test';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** A thread of the page's process, and the processor time that its tasks took. */
export interface ThreadTime {
  readonly name: string;
  readonly ms: number;
}

/** Begins to record. The returned function ends it and resolves with the threads of pages and workers, busiest first. */
export async function recordThreads(page: Page): Promise<() => Promise<readonly ThreadTime[]>> {
  const session = await page.context().newCDPSession(page);
  const times = new Map<string, number>();
  const names = new Map<string, string>();
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) {
      if (!isTraceEvent(event)) continue;
      const thread = `${event.pid} ${event.tid}`;
      if (event.name === 'thread_name') names.set(thread, event.args?.name ?? '');
      if (event.name.endsWith('RunTask') && event.ph === 'X') times.set(thread, (times.get(thread) ?? 0) + (event.tdur ?? 0) / 1000);
    }
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'], recordMode: 'recordAsMuchAsPossible' },
  });
  return async () => {
    const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    return [...times]
      .map(([thread, ms]) => ({ name: names.get(thread) ?? '', ms }))
      .filter(({ name }) => name === 'CrRendererMain' || name.startsWith('DedicatedWorker'))
      .sort((a, b) => b.ms - a.ms);
  };
}

function isTraceEvent(value: object): value is TraceEvent {
  return 'name' in value && 'ph' in value && 'pid' in value && 'tid' in value;
}
