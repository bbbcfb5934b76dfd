import { afterEach, describe, expect, test, vi } from 'vitest';
import { notifyOfAnswers } from '../../../src/app/page-calls/answer-notification';
import type { RunEnd } from '../../../src/core/run';
import { createFakeApp, runEnd } from '../chat/fake-app';

interface Shown {
  readonly title: string;
  readonly body: string | undefined;
}

/** A hidden page that may notify, and what it showed once this run had ended. */
async function shownFor(change: Partial<RunEnd>, { isHidden = true, isWanted = true } = {}): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  class FakeNotification extends EventTarget {
    static readonly permission = 'granted';
    constructor(title: string, options?: NotificationOptions) {
      super();
      shown.push({ title, body: options?.body });
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  const app = await createFakeApp();
  await app.settings.set('notifications', isWanted);
  const stop = notifyOfAnswers(app);
  app.engine.emit('run-end', runEnd('conversation', 'node', { title: 'Birds', excerpt: 'In holes', ...change }));
  stop();
  app.database.close();
  return shown;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a hidden page', () => {
  test.each([
    ['complete', 'In holes'],
    ['failed', 'The answer failed.'],
    ['awaiting', 'The answer waits for your decision.'],
  ] as const)('tells of an answer that is %s', async (status, body) => {
    expect(await shownFor({ status })).toEqual([{ title: 'Birds', body }]);
  });

  test('is silent about what someone stopped', async () => {
    expect(await shownFor({ status: 'interrupted' })).toEqual([]);
  });

  test('is silent where the setting is off', async () => {
    expect(await shownFor({ status: 'awaiting' }, { isWanted: false })).toEqual([]);
  });
});

test('a page that is looked at is silent', async () => {
  expect(await shownFor({ status: 'awaiting' }, { isHidden: false })).toEqual([]);
});
