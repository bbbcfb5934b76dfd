import { beforeEach, expect, test, vi } from 'vitest';
import { offerUpdate } from '../../../src/app/updates/update-offer';
import { createFakeApp, runEnd, type FakeApp } from '../chat/fake-app';

let app: FakeApp;
let running: readonly string[];
let isWriting: boolean;
const apply = vi.fn(() => Promise.resolve());
const reload = vi.fn();

beforeEach(async () => {
  app = await createFakeApp();
  running = [];
  isWriting = false;
  vi.clearAllMocks();
  app.engine.handlers.running = () => Promise.resolve(running);
  offerUpdate(app, { apply, reload, hasUnsentWords: () => isWriting });
});

/** What the one notice says. */
function said(): string | undefined {
  const [notice] = app.notices.current;
  return notice?.type === 'message' ? notice.text : undefined;
}

async function sayYes(): Promise<void> {
  const [notice] = app.notices.current;
  if (notice?.action === undefined) throw new Error('there is no offer');
  app.notices.dismiss(notice.id);
  await notice.action.run();
}

function endRun(): void {
  running = [];
  app.engine.emit('run-end', runEnd('c', 'n'));
}

test('nothing happens before somebody says yes', () => {
  expect(said()).toBe('A new version is ready.');
  endRun();
  expect(apply).not.toHaveBeenCalled();
});

test('where nothing runs a yes is obeyed at once', async () => {
  await sayYes();
  expect(apply).toHaveBeenCalledOnce();
  expect(reload).toHaveBeenCalledOnce();
});

test('a yes during an answer counts at its end', async () => {
  running = ['c'];
  await sayYes();
  expect(said()).toMatch(/as soon as no answer is running/);
  app.engine.emit('run-end', runEnd('another', 'n'));
  await expect.poll(() => app.engine.callsOf('running').length).toBe(2);
  expect(apply).not.toHaveBeenCalled();
  endRun();
  await expect.poll(() => reload.mock.calls.length).toBe(1);
  expect(apply).toHaveBeenCalledOnce();
});

test('who is writing when the answer ends is asked again', async () => {
  running = ['c'];
  await sayYes();
  isWriting = true;
  endRun();
  await expect.poll(said).toBe('A new version is ready.');
  expect(apply).not.toHaveBeenCalled();
  await sayYes();
  expect(reload).toHaveBeenCalledOnce();
});

test('dismissed while it waits, it is left for later', async () => {
  running = ['c'];
  await sayYes();
  app.notices.dismiss(app.notices.current[0]?.id ?? 0);
  endRun();
  await Promise.resolve();
  expect(app.notices.current).toEqual([]);
  expect(apply).not.toHaveBeenCalled();
});

test('an answer that begins during the hand-over keeps its page', async () => {
  apply.mockImplementationOnce(() => {
    running = ['c'];
    return Promise.resolve();
  });
  await sayYes();
  expect(reload).not.toHaveBeenCalled();
  endRun();
  await expect.poll(() => reload.mock.calls.length).toBe(1);
  expect(apply).toHaveBeenCalledOnce();
});

test('a hand-over that fails is told and offered again', async () => {
  apply.mockImplementationOnce(() => Promise.reject(new Error('no')));
  await sayYes();
  expect(reload).not.toHaveBeenCalled();
  expect(app.notices.current.map(({ key }) => key)).toEqual(['error:internal', 'update']);
});
