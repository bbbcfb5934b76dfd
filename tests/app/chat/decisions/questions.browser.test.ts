import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { AppError } from '../../../../src/core/errors';
import type { QuestionDeadline } from '../../../../src/core/node';
import { createFakeApp, type FakeApp } from '../fake-app';
import { composer } from '../open-chat';
import { ONE, openWaiting, question, TWO } from './waiting';

const bar = page.getByRole('region', { name: 'Waiting for you' });
const button = (name: string) => bar.getByRole('button', { name, exact: true });
const choice = (name: string | RegExp) => bar.getByRole('radio', { name });
const NOW = 1_800_000_000_000;

async function expectAnswers(app: FakeApp, answers: readonly object[]): Promise<void> {
  await vi.waitFor(() => {
    expect(app.engine.callsOf('decide')).toMatchObject([{ callId: 'q', decision: { type: 'answer', answers } }]);
  });
}

/** Only the clock on the wall and what ticks by it; everything else runs on. */
function fakeClock(): void {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

afterEach(async () => {
  history.replaceState(null, '', '#/');
  await page.viewport(414, 896);
});

describe('one question', () => {
  test('has the recommended choice first, marked and chosen beforehand', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [question('q', ONE)]);
    await expect.element(choice(/^Blue/)).toBeChecked();
    await expect.element(bar.getByText('Recommended')).toBeVisible();
    await expect.element(bar.getByText('Like the sky.')).toBeVisible();
    await button('Answer').click();
    await expectAnswers(app, [{ questionId: 'q1', label: 'Blue' }]);
    await expect.element(bar).not.toBeInTheDocument();
    expect(document.activeElement).toBe(composer());
  });

  test('arrow keys choose, Enter answers', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [question('q', ONE)]);
    await expect.element(choice(/^Blue/)).toBeVisible();
    choice(/^Blue/).element().focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    await expect.element(choice('Green')).toBeChecked();
    expect(app.engine.callsOf('decide')).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expectAnswers(app, [{ questionId: 'q1', label: 'Green' }]);
  });

  test('takes own words, which are kept while another choice is looked at', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [question('q', ONE)]);
    await choice('Something else').click();
    await expect.element(bar.getByRole('textbox', { name: 'Your own answer' })).toHaveFocus();
    await expect.element(button('Answer')).toBeDisabled();
    await userEvent.keyboard('A dark teal');
    await choice('Red').click();
    await choice('Something else').click();
    await expect.element(bar.getByRole('textbox')).toHaveValue('A dark teal');
    await userEvent.keyboard('{Enter}');
    await expectAnswers(app, [{ questionId: 'q1', custom: 'A dark teal' }]);
  });

  test('an Enter of an input method sends nothing', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [question('q', ONE)]);
    const field = bar.getByRole('textbox', { name: 'Your own answer' });
    await field.fill('蓝');
    const element = field.element();
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }));
    element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13, bubbles: true, cancelable: true }));
    expect(app.engine.callsOf('decide')).toEqual([]);
  });

  test('may be left without an answer', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [question('q', ONE)]);
    await button('Don’t answer').click();
    await vi.waitFor(() => {
      expect(app.engine.callsOf('decide')).toMatchObject([{ decision: { type: 'deny', scope: 'once', reason: '' } }]);
    });
  });
});

describe('several questions', () => {
  const tab = (name: string) => bar.getByRole('tab', { name });

  test('have a tab each; a click goes on to the next one that is open, and all together are sent', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [question('q', TWO)]);
    await expect.element(tab('Question 1')).toHaveAttribute('aria-selected', 'true');
    await expect.element(button('Answer')).toBeDisabled();
    await bar.getByText('Red').click();
    await expect.element(tab('Size')).toHaveAttribute('aria-selected', 'true');
    await expect.element(tab('Question 1 answered')).toBeVisible();
    await expect.element(bar.getByText('How large?')).toBeVisible();
    await bar.getByText('Large', { exact: true }).click();
    await expect.element(button('Answer')).toBeEnabled();
    await tab('Question 1').click();
    await expect.element(choice('Red')).toBeChecked();
    await button('Answer').click();
    await expectAnswers(app, [
      { questionId: 'q1', label: 'Red' },
      { questionId: 'q2', label: 'Large' },
    ]);
  });

  test('are answered by keyboard alone, one after the other', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [question('q', TWO)]);
    await expect.element(tab('Question 1')).toBeVisible();
    tab('Question 1').element().focus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(tab('Size')).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{ArrowLeft}{Tab}');
    await expect.element(choice(/^Blue/)).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.element(bar.getByText('How large?')).toBeVisible();
    // Nothing is chosen yet, so nothing is sent.
    await userEvent.keyboard('{Enter}');
    expect(app.engine.callsOf('decide')).toEqual([]);
    await userEvent.keyboard('{Tab}{ArrowDown}{Enter}');
    await expectAnswers(app, [
      { questionId: 'q1', label: 'Red' },
      { questionId: 'q2', label: 'Medium' },
    ]);
  });

  test('a second click in the same place does not answer the next one', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [question('q', TWO)]);
    await bar.getByText('Red').dblClick();
    await expect.element(tab('Size')).toHaveAttribute('aria-selected', 'true');
    expect(bar.getByRole('radio', { checked: true }).elements()).toEqual([]);
  });
});

describe('the clock', () => {
  const left = (deadline: QuestionDeadline) => question('q', ONE, { deadline });

  test('counts down to the stored deadline, also after the page was asleep', async () => {
    fakeClock();
    const app = await createFakeApp();
    await openWaiting(app, [left({ type: 'at', at: NOW + 180_000 })]);
    await expect.element(bar.getByText('Answers itself in 3:00')).toBeVisible();
    vi.advanceTimersByTime(19_000);
    await expect.element(bar.getByText('Answers itself in 2:41')).toBeVisible();
    vi.setSystemTime(NOW + 100_000);
    vi.advanceTimersByTime(1000);
    await expect.element(bar.getByText('Answers itself in 1:19')).toBeVisible();
    vi.advanceTimersByTime(79_000);
    await expect.element(bar.getByText(/The time is up/)).toBeVisible();
  });

  test('stops, goes on and is turned off; the button keeps the focus', async () => {
    fakeClock();
    const app = await createFakeApp();
    const { conversationId, nodeId, store } = await openWaiting(app, [left({ type: 'at', at: NOW + 161_000 })]);
    const args = { conversationId, nodeId, callId: 'q' };
    app.engine.handlers['question-clock'] = async ({ action }) => {
      if (action === 'pause') await store([left({ type: 'paused', leftMs: 161_000 })]);
      else if (action === 'resume') await store([left({ type: 'at', at: NOW + 161_000 })]);
      else await store([question('q', ONE)]);
      return null;
    };
    await choice('Red').click();
    await button('Pause').click();
    await expect.element(bar.getByText('Paused with 2:41 left')).toBeVisible();
    await expect.element(button('Resume')).toHaveFocus();
    vi.advanceTimersByTime(60_000);
    await expect.element(bar.getByText('Paused with 2:41 left')).toBeVisible();
    // What was chosen meanwhile is not read anew with the clock.
    await expect.element(choice('Red')).toBeChecked();
    await button('Resume').click();
    await expect.element(button('Pause')).toBeVisible();
    await button('Turn off').click();
    await expect.element(bar.getByText(/Answers itself|Paused/)).not.toBeInTheDocument();
    expect(app.engine.callsOf('question-clock')).toEqual([
      { ...args, action: 'pause' },
      { ...args, action: 'resume' },
      { ...args, action: 'off' },
    ]);
    await vi.waitFor(() => {
      expect(document.activeElement).not.toBe(document.body);
    });
  });

  test('that ran out while no page was open answers nothing by itself', async () => {
    fakeClock();
    const app = await createFakeApp();
    await openWaiting(app, [left({ type: 'at', at: NOW - 1000 })]);
    await expect.element(bar.getByText(/The time ran out while nobody was here/)).toBeVisible();
    vi.advanceTimersByTime(60_000);
    expect(app.engine.callsOf('decide')).toEqual([]);
    await expect.element(button('Answer')).toBeEnabled();
    await choice('Red').click();
    await button('Use the recommended').click();
    await expectAnswers(app, [{ questionId: 'q1', label: 'Blue' }]);
  });

  test('answered elsewhere in the same moment: it says so, and what is stored is shown', async () => {
    const app = await createFakeApp();
    const { store } = await openWaiting(app, [question('q', ONE)]);
    app.engine.handlers.decide = async () => {
      await store([question('q', ONE, { approval: 'answered', execution: 'done' })]);
      throw new AppError('call-not-pending');
    };
    await button('Answer').click();
    await expect.element(bar).not.toBeInTheDocument();
    await expect.element(page.getByRole('alert').filter({ hasText: 'This was decided already, or stopped.' })).toBeVisible();
  });
});

test('in Chinese, on a narrow phone, nothing is cut off', async () => {
  await page.viewport(320, 640);
  const app = await createFakeApp('zh-Hans');
  await openWaiting(app, [question('q', TWO, { deadline: { type: 'paused', leftMs: 60_000 } })]);
  const chinese = page.getByRole('region', { name: '等待您决定' });
  await expect.element(chinese.getByText('已暂停，还剩 1:00')).toBeVisible();
  await expect.element(chinese.getByText('推荐', { exact: true })).toBeVisible();
  for (const element of document.querySelectorAll('section.bar *')) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && !element.matches('.visually-hidden')) expect(box.right).toBeLessThanOrEqual(320);
  }
});
