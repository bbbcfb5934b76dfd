import type { CDPSession, Page } from '@playwright/test';

interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What the page's main thread was busy with, in milliseconds of its own time: what other programs take on a loaded machine is not in it. */
export interface MainThreadFigures {
  readonly longestTaskMs: number;
  /** The same task by the clock on the wall. */
  readonly longestWallMs: number;
  /** The longest parts of the longest task, longest first. */
  readonly parts: readonly string[];
}

const CATEGORIES = ['toplevel', 'devtools.timeline', '__metadata'];
const SHOWN_PARTS = 4;

/** Begins to record. The returned function ends it and resolves with the figures. */
export async function recordMainThread(page: Page): Promise<() => Promise<MainThreadFigures>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) if (isTraceEvent(event)) events.push(event);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES, recordMode: 'recordAsMuchAsPossible' },
  });
  return async () => {
    await endTracing(session);
    return figuresOf(events);
  };
}

async function endTracing(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
}

function isTraceEvent(value: object): value is TraceEvent {
  return 'name' in value && 'ph' in value && 'pid' in value && 'tid' in value;
}

function figuresOf(events: readonly TraceEvent[]): MainThreadFigures {
  const main = new Set(
    events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const own = events.filter(({ ph, pid, tid }) => ph === 'X' && main.has(`${pid} ${tid}`));
  const tasks = own.filter(({ name }) => name.endsWith('RunTask'));
  const longest = tasks.reduce<TraceEvent | undefined>((best, task) => ((task.tdur ?? 0) > (best?.tdur ?? 0) ? task : best), undefined);
  if (longest === undefined) return { longestTaskMs: 0, longestWallMs: 0, parts: [] };
  const end = longest.ts + (longest.dur ?? 0);
  const within = own.filter(
    (event) =>
      event !== longest &&
      event.cat.includes('devtools.timeline') &&
      event.pid === longest.pid &&
      event.ts >= longest.ts &&
      event.ts < end &&
      !event.name.endsWith('RunTask'),
  );
  const parts = within
    .sort((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0))
    .slice(0, SHOWN_PARTS)
    .map(({ name, tdur }) => `${name} ${Math.round((tdur ?? 0) / 1000)}`);
  return { longestTaskMs: Math.round((longest.tdur ?? 0) / 1000), longestWallMs: Math.round((longest.dur ?? 0) / 1000), parts };
}
