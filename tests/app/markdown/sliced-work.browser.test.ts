import { describe, expect, it, vi } from 'vitest';
import { SlicedWork } from '../../../src/app/markdown/sliced-work';

const SLICE_MS = 5;

/** Keeps the page busy; the clock is what slices are measured by. */
function work(forMs: number): void {
  const end = performance.now() + forMs;
  while (performance.now() < end);
}

describe('work in slices', () => {
  it('does a little at once', () => {
    const slices = new SlicedWork(SLICE_MS);
    const done: number[] = [];
    for (const at of [1, 2, 3]) slices.add(() => done.push(at));
    expect(done).toEqual([1, 2, 3]);
  });

  it('does much in order, and lets the page in between', async () => {
    const slices = new SlicedWork(SLICE_MS);
    const done: number[] = [];
    let tasks = 0;
    const count = (): void => {
      tasks += 1;
      if (done.length < 40) setTimeout(count);
    };
    setTimeout(count);
    for (let at = 0; at < 40; at++)
      slices.add(() => {
        work(1);
        done.push(at);
      });
    expect(done.length).toBeLessThan(20);
    await vi.waitFor(() => expect(done).toHaveLength(40));
    expect(done).toEqual(Array.from(done, (_, at) => at));
    expect(tasks).toBeGreaterThan(2);
  });

  it('leaves out what was called off', async () => {
    const slices = new SlicedWork(SLICE_MS);
    const done: string[] = [];
    slices.add(() => work(2 * SLICE_MS));
    const callOff = slices.add(() => done.push('called off'));
    slices.add(() => done.push('kept'));
    callOff();
    await vi.waitFor(() => expect(done).toEqual(['kept']));
  });
});
