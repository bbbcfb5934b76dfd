import { afterEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { AppError } from '../../../../src/core/errors';
import { answerNode, createFakeApp, seedConversation, userNode, type FakeApp } from '../fake-app';
import { composer, openChat } from '../open-chat';
import { call, openWaiting, question, ONE } from './waiting';

const bar = page.getByRole('region', { name: 'Waiting for you' });
const button = (name: string) => bar.getByRole('button', { name, exact: true });
const decisions = (app: FakeApp): readonly unknown[] => app.engine.callsOf('decide').map((args) => (isDecide(args) ? args.decision : args));

function isDecide(args: unknown): args is { readonly decision: unknown } {
  return typeof args === 'object' && args !== null && 'decision' in args;
}

afterEach(async () => {
  history.replaceState(null, '', '#/');
  await page.viewport(414, 896);
});

describe('one call', () => {
  test('shows the tool by its name, every argument, and runs once', async () => {
    const app = await createFakeApp();
    const { conversationId, nodeId } = await openWaiting(app, [call('a', { argumentsText: '{"script":"one\\ntwo","evil":"a\\u202eb"}' })]);
    await expect.element(bar.getByRole('heading')).toHaveTextContent('Run “Calculator”?');
    await expect.element(bar.getByText('one two')).toBeVisible();
    await expect.element(bar.getByText('a\\u202eb')).toBeVisible();
    await button('Run once').click();
    await expect.element(bar).not.toBeInTheDocument();
    expect(app.engine.callsOf('decide')).toEqual([{ conversationId, nodeId, callId: 'a', decision: { type: 'approve', scope: 'once' } }]);
    // The button had the focus and is gone.
    expect(document.activeElement).toBe(composer());
  });

  test('of a tool nobody knows shows its raw name', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [call('a', { name: 'my_server_tool', argumentsText: '' })]);
    await expect.element(bar.getByRole('heading')).toHaveTextContent('Run “my_server_tool”?');
    await expect.element(bar.getByText('Without arguments.')).toBeVisible();
  });

  test.each([
    ['More ways to allow it', 'Run, and don’t ask again in this conversation', { type: 'approve', scope: 'conversation' }],
    ['More ways to allow it', 'Run, and never ask again', { type: 'approve', scope: 'always' }],
    ['More ways to decline', 'Don’t run, and never offer this tool again', { type: 'deny', scope: 'always', reason: '' }],
  ])('%s: %s', async (menu, item, decision) => {
    const app = await createFakeApp();
    await openWaiting(app, [call('a')]);
    await button(menu).click();
    await page.getByRole('menuitem', { name: item }).click();
    await vi.waitFor(() => {
      expect(decisions(app)).toEqual([decision]);
    });
  });

  test('is declined with a reason, or without one', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [call('a')]);
    await button('Don’t run').click();
    await expect.element(bar.getByRole('textbox', { name: 'Why not?' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Run once')).toBeVisible();
    expect(decisions(app)).toEqual([]);
    await button('Don’t run').click();
    await userEvent.keyboard('Too dear{Enter}');
    await vi.waitFor(() => {
      expect(decisions(app)).toEqual([{ type: 'deny', scope: 'once', reason: 'Too dear' }]);
    });
  });

  test('runs with changed arguments once they are one JSON object', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [call('a')]);
    await button('Change').click();
    const field = bar.getByRole('textbox', { name: 'Arguments as JSON' });
    await expect.element(field).toHaveFocus();
    await field.fill('{"expression":');
    await expect.element(bar.getByText('This is not one JSON object yet.')).toBeVisible();
    await expect.element(button('Run once, changed')).toBeDisabled();
    await userEvent.keyboard('{Alt>}a{/Alt}');
    expect(decisions(app)).toEqual([]);
    await field.fill('{"expression":"2+2"}');
    await button('Run once, changed').click();
    await vi.waitFor(() => {
      expect(decisions(app)).toEqual([{ type: 'approve', scope: 'once', argumentsText: '{"expression":"2+2"}' }]);
    });
  });

  test('that is decided is decided once, however often it is pressed', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [call('a')]);
    let done: () => void = () => undefined;
    app.engine.handlers.decide = async () => new Promise((resolve) => (done = () => resolve(null)));
    await button('Run once').click();
    await userEvent.keyboard('{Alt>}a{/Alt}{Alt>}a{/Alt}');
    expect(decisions(app)).toHaveLength(1);
    done();
    await expect.element(button('Run once')).not.toHaveAttribute('aria-disabled');
  });
});

describe('several calls', () => {
  const three = [call('a', { name: 'first' }), call('b', { name: 'second' }), call('c', { name: 'third' })];

  test('stand one at a time with their count; arrows go between them, and what was begun in one is kept', async () => {
    const app = await createFakeApp();
    await openWaiting(app, three);
    await expect.element(bar.getByText('1 of 3')).toBeVisible();
    await button('Change').click();
    await bar.getByRole('textbox').fill('{"kept":true}');
    await button('The next one').click();
    await expect.element(bar.getByRole('heading', { name: 'Run “second”?' })).toBeVisible();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(bar.getByText('3 of 3')).toBeVisible();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(bar.getByText('1 of 3')).toBeVisible();
    await expect.element(bar.getByRole('textbox')).toHaveValue('{"kept":true}');
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(bar.getByText('3 of 3')).toBeVisible();
    await expect.element(button('The one before')).toBeVisible();
  });

  test('are decided by keys one after the other; the next one has the focus, then the message field', async () => {
    const app = await createFakeApp();
    await openWaiting(app, three);
    await button('The next one').click();
    await userEvent.keyboard('{Alt>}a{/Alt}');
    await expect.element(bar.getByRole('heading', { name: 'Run “third”?' })).toBeVisible();
    await button('The next one').click();
    await userEvent.keyboard('{Alt>}d{/Alt}');
    await expect.element(bar.getByRole('textbox', { name: 'Why not?' })).toHaveFocus();
    await userEvent.keyboard('{Alt>}d{/Alt}');
    await expect.element(bar.getByRole('heading', { name: 'Run “third”?' })).toBeVisible();
    await vi.waitFor(() => {
      expect(document.activeElement?.textContent).toContain('Run “third”?');
    });
    await userEvent.keyboard('{Alt>}a{/Alt}');
    await expect.element(bar).not.toBeInTheDocument();
    expect(app.engine.callsOf('decide')).toMatchObject([{ callId: 'b' }, { callId: 'a' }, { callId: 'c' }]);
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(composer());
    });
  });

  test('a second click in the same place does not decide about the next one', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [call('a'), call('b')]);
    await button('Run once').click();
    await expect.element(bar.getByText('1 of 2')).not.toBeInTheDocument();
    // The moment in which it came, once more: this page may have been slow to look.
    const next = button('Run once').element();
    const card = next.closest<HTMLElement>('[data-card]');
    card?.toggleAttribute('hidden', true);
    expect(next.getBoundingClientRect().width).toBe(0);
    card?.toggleAttribute('hidden', false);
    const box = next.getBoundingClientRect();
    expect(box.width).toBeGreaterThan(0);
    expect(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('button')).toBeNull();
    await button('Run once').click();
    await vi.waitFor(() => {
      expect(app.engine.callsOf('decide')).toMatchObject([{ callId: 'a' }, { callId: 'b' }]);
    });
  });
});

describe('someone who is typing', () => {
  test('keeps the focus, their words and the letters that Alt writes', async () => {
    const app = await createFakeApp();
    const { store } = await openWaiting(app, [call('a'), call('b')]);
    await expect.element(button('Run once')).toBeVisible();
    composer().focus();
    await userEvent.keyboard('Half a thought');
    composer().dispatchEvent(new KeyboardEvent('keydown', { key: 'å', code: 'KeyA', altKey: true, bubbles: true, cancelable: true }));
    expect(decisions(app)).toEqual([]);
    await userEvent.keyboard('{Alt>}a{/Alt}');
    await vi.waitFor(() => {
      expect(decisions(app)).toHaveLength(1);
    });
    await store([call('a', { approval: 'approved' }), call('b', { approval: 'approved' })]);
    await expect.element(bar).not.toBeInTheDocument();
    expect(document.activeElement).toBe(composer());
    expect(composer().value).toBe('Half a thought');
  });

  test('is told that sending leaves the calls undecided', async () => {
    const app = await createFakeApp();
    await openWaiting(app, [call('a')]);
    await expect.element(bar.getByText('Sending a message leaves these undecided.')).toBeVisible();
  });
});

describe('another tab', () => {
  test('that was first is told of in words, and what still waits is drawn anew', async () => {
    const app = await createFakeApp();
    const { store } = await openWaiting(app, [call('a', { name: 'first' }), call('b', { name: 'second' })]);
    app.engine.handlers.decide = async () => {
      await store([call('a', { name: 'first', approval: 'denied' }), call('b', { name: 'second' })]);
      throw new AppError('call-not-pending');
    };
    await button('Run once').click();
    await expect.element(bar.getByRole('alert')).toHaveTextContent('This was decided already, or stopped.');
    await expect.element(bar.getByRole('heading', { name: 'Run “second”?' })).toBeVisible();
    await button('Dismiss').click();
    await expect.element(bar.getByRole('alert')).not.toBeInTheDocument();
  });

  test('that decided the last one takes the bar away, and the focus is not lost', async () => {
    const app = await createFakeApp();
    const { store } = await openWaiting(app, [call('a')]);
    await button('Don’t run').click();
    await expect.element(bar.getByRole('textbox', { name: 'Why not?' })).toHaveFocus();
    await store([call('a', { approval: 'approved' })]);
    await expect.element(bar).not.toBeInTheDocument();
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(composer());
    });
  });
});

test('what waits in another branch is one quiet line that leads there', async () => {
  const app = await createFakeApp();
  app.engine.handlers.select = async () => Promise.resolve(null);
  const asked = userNode(null, 'Go on');
  const waiting = answerNode(asked.id, { parts: [call('a')] }, 'awaiting');
  const shown = answerNode(asked.id, { parts: [{ type: 'text', step: 1, text: 'Another answer' }] });
  const id = await seedConversation(app.database, [asked, waiting, shown]);
  await app.database.waits.put({ callId: 'a', conversationId: id, nodeId: waiting.id, isQuestion: false });
  await app.database.waits.put({ callId: 'z', conversationId: 'somewhere-else', nodeId: 'z', isQuestion: false });
  await openChat(app, id);
  await expect.element(bar.getByText('One more waits in another branch.')).toBeVisible();
  await expect.element(button('Run once')).not.toBeInTheDocument();
  await button('Show it').click();
  await expect.element(button('Run once')).toBeVisible();
  expect(app.engine.callsOf('select')).toEqual([{ conversationId: id, nodeId: waiting.id }]);
  await expect.element(bar.getByText(/another branch/)).not.toBeInTheDocument();
});

test('on a phone nothing is wider than the page, and a question beside calls is a card like theirs', async () => {
  await page.viewport(390, 844);
  const app = await createFakeApp();
  const long = { expression: 'x'.repeat(400), ['a_very_long_name_of_an_argument_'.repeat(3)]: { deep: ['y'.repeat(200)] } };
  await openWaiting(app, [call('a', { argumentsText: JSON.stringify(long) }), question('b', ONE)]);
  await expect.element(button('Run once')).toBeVisible();
  const inside = (): void => {
    for (const element of document.querySelectorAll('section.bar *')) {
      const box = element.getBoundingClientRect();
      if (box.width > 0 && !element.matches('.visually-hidden')) expect(box.right).toBeLessThanOrEqual(390);
    }
  };
  inside();
  await button('The next one').click();
  await expect.element(bar.getByText('Which colour?')).toBeVisible();
  inside();
});
