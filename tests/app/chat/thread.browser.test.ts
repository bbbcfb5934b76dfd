import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Part } from '../../../src/core/node';
import { foldRun } from '../../../src/storage/runs';
import { selectNode } from '../../../src/storage/tree';
import {
  answerNode,
  createFakeApp,
  delta,
  dialogue,
  MODEL,
  runEnd,
  seedConversation,
  snapshot,
  stamp,
  text,
  userNode,
  type FakeApp,
} from './fake-app';
import { distanceToEnd, openChat, painted, viewport } from './open-chat';

const PARAGRAPH = '\n\nOne more paragraph of the answer, long enough to be a line of its own on the page.';

afterEach(() => {
  history.replaceState(null, '', '#/');
});

interface Running {
  readonly app: FakeApp;
  readonly id: string;
  readonly answerId: string;
  /** Sends the next delta. */
  grow(words: string): void;
}

/** A conversation whose last answer is being written. */
async function openRunning(parts: readonly Part[] = [text('First words', 1)], pairs = 6): Promise<Running> {
  const app = await createFakeApp();
  const nodes = dialogue(pairs);
  const question = userNode(nodes.at(-1)?.id ?? null, 'And now?');
  const answer = answerNode(question.id, {}, 'running');
  const id = await seedConversation(app.database, [...nodes, question, answer]);
  app.engine.handlers.watch = async () => Promise.resolve(snapshot(id, answer.id, { parts }));
  await openChat(app, id);
  await drawn();
  // Until its renderer is here, markdown is shown as plain text, of another height.
  await vi.waitFor(() => {
    expect(document.querySelector('.markdown')).not.toBeNull();
  });
  let revision = 1;
  const grow = (words: string): void => {
    revision += 1;
    app.engine.emit('run-delta', delta(id, answer.id, { revision, changes: [{ type: 'append', index: parts.length - 1, text: words }] }));
  };
  return { app, id, answerId: answer.id, grow };
}

/** Messages come a few at a time; waits until no more come. */
async function drawn(): Promise<void> {
  let [before, after] = [-1, messages().length];
  while (before !== after || after === 0) {
    before = after;
    await new Promise((resolve) => setTimeout(resolve, 100));
    after = messages().length;
  }
  await painted();
}

function messages(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-node]')];
}

/** The message that stands at the top of what is seen, and how far from the edge. */
function firstSeen(): { readonly element: HTMLElement; readonly top: number } {
  const edge = viewport().getBoundingClientRect().top;
  const element = messages().find((message) => message.getBoundingClientRect().bottom > edge);
  if (element === undefined) throw new Error('nothing is seen');
  return { element, top: element.getBoundingClientRect().top - edge };
}

/** Whether every pixel of what is seen belongs to a message with its words, but for the distances between them. */
function hasGap(): boolean {
  const view = viewport().getBoundingClientRect();
  const rects = messages().map((message) => message.getBoundingClientRect());
  const [top, bottom] = [rects[0]?.top ?? Infinity, rects.at(-1)?.bottom ?? -Infinity];
  return top > view.top + 40 || bottom < view.bottom - 120;
}

describe('scrolling', () => {
  it('opens at the end', async () => {
    const app = await createFakeApp();
    await openChat(app, await seedConversation(app.database, dialogue(30)));
    await expect.element(page.getByText('Question 29')).toBeVisible();
    await vi.waitFor(() => {
      expect(distanceToEnd()).toBeLessThan(2);
    });
    expect(viewport().scrollTop).toBeGreaterThan(0);
  });

  it('follows an answer at the end, stops when the reader goes up, and follows again from the button', async () => {
    const { grow } = await openRunning();
    await expect.element(page.getByText('First words')).toBeVisible();
    grow(PARAGRAPH.repeat(30));
    await vi.waitFor(() => {
      expect(document.body.textContent).toContain('One more paragraph');
      expect(distanceToEnd()).toBeLessThan(2);
    });

    viewport().scrollTop -= 300;
    await expect.element(page.getByRole('button', { name: 'To the end' })).toBeVisible();
    const before = viewport().scrollTop;
    grow(PARAGRAPH.repeat(10));
    await expect.element(page.getByRole('button', { name: 'New text below' })).toBeVisible();
    await painted();
    expect(Math.abs(viewport().scrollTop - before)).toBeLessThan(2);

    await page.getByRole('button', { name: 'New text below' }).click();
    grow(PARAGRAPH.repeat(10));
    await vi.waitFor(() => {
      expect(distanceToEnd()).toBeLessThan(2);
    });
    await expect.element(page.getByRole('button', { name: /To the end|New text/ })).not.toBeInTheDocument();
  });

  it('goes on following when the window becomes taller, and when the text was shorter for a moment', async () => {
    const { grow } = await openRunning();
    grow(PARAGRAPH.repeat(30));
    await vi.waitFor(() => {
      expect(distanceToEnd()).toBeLessThan(2);
    });
    const frame = viewport().parentElement;
    const column = viewport().firstElementChild;
    if (frame === null || !(column instanceof HTMLElement)) throw new Error('no thread');
    frame.style.height = `${frame.clientHeight - 100}px`;
    await painted();
    frame.style.height = '';
    await painted();
    expect(distanceToEnd()).toBeLessThan(2);

    column.style.height = '200px';
    column.style.overflow = 'hidden';
    // The browser takes the view along as soon as anybody asks for a measure.
    expect(viewport().scrollTop).toBe(0);
    column.style.height = '';
    grow(PARAGRAPH);
    await vi.waitFor(() => {
      expect(distanceToEnd()).toBeLessThan(2);
    });
    await expect.element(page.getByRole('button', { name: /To the end|New text/ })).not.toBeInTheDocument();
  });

  it('keeps what is read in place while messages come and go around it', async () => {
    const app = await createFakeApp();
    await openChat(app, await seedConversation(app.database, dialogue(80)));
    await expect.element(page.getByText('Question 79')).toBeVisible();
    await drawn();
    for (let step = 0; step < 12; step += 1) {
      viewport().scrollTop -= 350;
      await painted();
      const { element, top } = firstSeen();
      await drawn();
      expect(element.isConnected).toBe(true);
      expect(Math.abs(firstSeen().top - top)).toBeLessThan(2);
      expect(firstSeen().element).toBe(element);
      expect(hasGap()).toBe(false);
    }
  });
});

describe('a long thread', () => {
  it('has few of its messages in the page, wherever the reader is, and the reader gets everywhere', async () => {
    const app = await createFakeApp();
    await openChat(app, await seedConversation(app.database, dialogue(1000)));
    await expect.element(page.getByText('Question 999')).toBeVisible();
    await drawn();
    expect(messages().length).toBeLessThan(60);
    const { scrollHeight } = viewport();
    for (const part of [0.5, 0.1, 0.9, 0]) {
      viewport().scrollTop = scrollHeight * part;
      await drawn();
      expect(messages().length).toBeLessThan(60);
      expect(hasGap()).toBe(false);
    }
    await expect.element(page.getByText('Question 0', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'To the end' }).click();
    await expect.element(page.getByText('Question 999')).toBeVisible();
    await vi.waitFor(() => {
      expect(distanceToEnd()).toBeLessThan(2);
    });
  });

  it('keeps a message that holds the focus or the selection', async () => {
    const app = await createFakeApp();
    await openChat(app, await seedConversation(app.database, dialogue(60)));
    await expect.element(page.getByText('Question 59')).toBeVisible();
    await drawn();
    const last = messages().at(-1);
    const button = last?.querySelector('button');
    button?.focus();
    viewport().scrollTop -= 4000;
    await drawn();
    expect(document.activeElement).toBe(button);
    button?.blur();
    getSelection()?.selectAllChildren(last ?? document.body);
    viewport().scrollTop -= 1500;
    await drawn();
    expect(last?.isConnected).toBe(true);
    getSelection()?.removeAllRanges();
    viewport().scrollTop -= 1500;
    await drawn();
    expect(last?.isConnected).toBe(false);
  });

  it('is searched whole, from the end on, by the keys of the browser’s search', async () => {
    const app = await createFakeApp();
    await openChat(app, await seedConversation(app.database, dialogue(300)));
    await expect.element(page.getByText('Question 299')).toBeVisible();
    await drawn();
    await userEvent.keyboard('{Control>}f{/Control}');
    const field = page.getByRole('searchbox', { name: 'Find in this conversation' });
    await expect.element(field).toHaveFocus();
    await userEvent.type(field, 'question 2');
    await expect.element(page.getByText('1 of 111')).toBeVisible();
    await expect.element(page.getByText('Question 299')).toBeVisible();
    await userEvent.clear(field);
    await userEvent.type(field, 'question 17');
    await expect.element(page.getByText('1 of 11')).toBeVisible();
    await expect.element(page.getByText('Question 179', { exact: true })).toBeInViewport();
    expect(CSS.highlights.get('thread-find')?.size).toBeGreaterThan(0);
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Question 178', { exact: true })).toBeInViewport();
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}{Shift>}{Enter}{/Shift}');
    await expect.element(page.getByText('Question 17', { exact: true })).toBeInViewport();
    await userEvent.clear(field);
    await userEvent.type(field, 'nowhere');
    await expect.element(page.getByText('Not found')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(field).not.toBeInTheDocument();
    expect(CSS.highlights.has('thread-find')).toBe(false);
    expect(document.activeElement).toBe(viewport());
  });

  it('shows another branch at the same place', async () => {
    const app = await createFakeApp();
    const nodes = dialogue(100);
    const parent = nodes[99]?.id ?? null;
    const other = userNode(parent, 'The other way');
    const id = await seedConversation(app.database, [...nodes, other]);
    await openChat(app, id);
    await expect.element(page.getByText('The other way')).toBeVisible();
    await drawn();
    app.engine.handlers.select = async ({ nodeId }) => {
      await selectNode(app.database, id, nodeId, stamp());
      return null;
    };
    await page.getByRole('button', { name: 'Previous alternative' }).click();
    await expect.element(page.getByText('Question 50', { exact: true })).toBeVisible();
    await drawn();
    expect(hasGap()).toBe(false);
  });
});

describe('the running answer', () => {
  it('turns into the stored one without a moment in which words or elements are gone', async () => {
    const { app, id, answerId, grow } = await openRunning();
    grow(' and an end.');
    const words = page.getByText('First words and an end.');
    await expect.element(words).toBeVisible();
    const article = document.querySelector(`[data-node="${answerId}"]`);
    const paragraph = words.element();
    let wasEmpty = false;
    const observer = new MutationObserver(() => {
      wasEmpty ||= article?.textContent.includes('First words') !== true;
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });

    app.engine.emit('run-end', runEnd(id, answerId));
    await painted();
    const usage = { inputTokens: 1200, outputTokens: 34 };
    const step = { step: 1, parts: [text('First words and an end.', 1)], model: MODEL, usage, finishReason: 'stop' } as const;
    await foldRun(app.database, { conversationId: id, nodeId: answerId, status: 'complete', step }, stamp());

    await expect.element(page.getByText('1,200 in, 34 out')).toBeInTheDocument();
    observer.disconnect();
    expect(wasEmpty).toBe(false);
    expect(paragraph.isConnected).toBe(true);
    await expect.element(page.getByRole('status').filter({ hasText: 'The answer is finished.' })).toBeInTheDocument();
  });

  it.each([
    ['a link in the paragraph that grows', 'a'],
    ['a button of code that is finished', 'figure button, .block button'],
    ['a table', '[role=group][tabindex]'],
    ['the view', 'section[aria-label="Conversation"]'],
  ])('takes the focus from nothing while it grows and when it ends: %s', async (_what, selector) => {
    const begin = '```ts\nconst a = 1;\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nSee [there](https://example.org/a) and';
    const { app, id, answerId, grow } = await openRunning([text(begin, 1)]);
    await expect.element(page.getByRole('link', { name: 'there' })).toBeVisible();
    const article = document.querySelector(`[data-node="${answerId}"]`);
    const focused = article?.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>(selector);
    if (focused === null) throw new Error(`nothing is a ${selector}`);
    focused.focus();
    let end = '';
    for (const words of [' more', ' words.', '\n\nA paragraph.'.repeat(80), '\n\n- a', '\n- b']) {
      end += words;
      grow(words);
      await painted();
      expect(document.activeElement).toBe(focused);
    }
    app.engine.emit('run-end', runEnd(id, answerId));
    const step = { step: 1, parts: [text(begin + end, 1)], model: MODEL, finishReason: 'stop' } as const;
    await foldRun(app.database, { conversationId: id, nodeId: answerId, status: 'complete', step }, stamp());
    await expect.element(page.getByRole('status').filter({ hasText: 'The answer is finished.' })).toBeInTheDocument();
    await painted();
    expect(document.activeElement).toBe(focused);
  });

  it('is said in whole sentences, the rest at its end', async () => {
    const { app, id, answerId, grow } = await openRunning([text('', 1)]);
    const log = page.getByRole('log', { name: 'The answer, as it is written' });
    grow('Jackdaws **nest** in holes. They pair');
    await expect.element(log, { timeout: 4000 }).toHaveTextContent('Jackdaws nest in holes.');
    expect(log.element().textContent).not.toContain('They pair');
    grow(' for life');
    const words = 'Jackdaws **nest** in holes. They pair for life';
    const step = { step: 1, parts: [text(words, 1)], model: MODEL, finishReason: 'stop' } as const;
    await foldRun(app.database, { conversationId: id, nodeId: answerId, status: 'complete', step }, stamp());
    app.engine.emit('run-end', runEnd(id, answerId));
    await expect.element(log).toHaveTextContent(/They pair for life$/);
  });

  it('draws only the running message again', async () => {
    const { app, answerId, grow } = await openRunning();
    await expect.element(page.getByText('First words')).toBeVisible();
    await painted();
    const touched = new Set<string>();
    const observer = new MutationObserver((records) => {
      for (const record of records) {
        const element = record.target instanceof Element ? record.target : record.target.parentElement;
        const article = element?.closest('[data-node]');
        touched.add(article?.getAttribute('data-node') ?? 'outside');
      }
    });
    observer.observe(viewport(), { childList: true, subtree: true, characterData: true, attributes: true });
    grow(' grows.');
    await expect.element(page.getByText('First words grows.')).toBeVisible();
    observer.disconnect();
    expect([...touched]).toEqual([answerId]);
    expect(app.engine.callsOf('watch')).toHaveLength(1);
  });

  it('asks for a snapshot where a delta is missing', async () => {
    const { app, id, answerId } = await openRunning();
    await expect.element(page.getByText('First words')).toBeVisible();
    app.engine.handlers.watch = async () => Promise.resolve(snapshot(id, answerId, { revision: 9, parts: [text('Everything so far', 1)] }));
    app.engine.emit('run-delta', delta(id, answerId, { revision: 9, changes: [{ type: 'append', index: 0, text: 'torn' }] }));
    await expect.element(page.getByText('Everything so far')).toBeVisible();
    expect(document.body.textContent).not.toContain('torn');
  });

  it('watches again after the worker was restarted, and never stops a run by leaving', async () => {
    const { app } = await openRunning();
    app.engine.die();
    await vi.waitFor(() => {
      expect(app.engine.callsOf('watch')).toHaveLength(2);
    });
    app.router.go({ name: 'chat', conversationId: null });
    await vi.waitFor(() => {
      expect(app.engine.callsOf('unwatch')).toHaveLength(1);
    });
    expect(app.engine.callsOf('stop')).toHaveLength(0);
  });

  it('is stopped by Escape and by the button', async () => {
    const { app } = await openRunning();
    app.engine.handlers.stop = async () => Promise.resolve(null);
    await userEvent.keyboard('{Escape}');
    expect(app.engine.callsOf('stop')).toHaveLength(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(app.engine.callsOf('stop')).toHaveLength(2);
  });

  it('counts down to the next try, says why, and can be stopped', async () => {
    const app = await createFakeApp();
    const question = userNode(null, 'Hello');
    const answer = answerNode(question.id, {}, 'running');
    const id = await seedConversation(app.database, [question, answer]);
    const error = { code: 'overloaded', retryable: true, details: { host: 'api.example' } } as const;
    const retry = { attempt: 2, resumesAt: Date.now() + 3000, error };
    app.engine.handlers.watch = async () => Promise.resolve(snapshot(id, answer.id, { phase: 'waiting', retry }));
    await openChat(app, id);
    await expect.element(page.getByText('Trying again in 3 s (try 2)')).toBeVisible();
    await expect.element(page.getByText('api.example is overloaded at the moment.')).toBeVisible();
    await expect.element(page.getByText('Trying again in 2 s (try 2)'), { timeout: 3000 }).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Stop' })).toBeEnabled();
  });
});

describe('reasoning', () => {
  const thinking = () => ({ type: 'reasoning', step: 1, text: 'Weighing it', startedAt: Date.now() - 2000 }) as const;

  it('is one line until it is opened, and stays as the reader left it while it streams', async () => {
    const { grow } = await openRunning([thinking()]);
    const line = page.getByRole('button', { name: /^Thinking… \d+ s$/ });
    await expect.element(line).toHaveAttribute('aria-expanded', 'false');
    expect(document.body.textContent).not.toContain('Weighing it');
    await line.click();
    await expect.element(page.getByText('Weighing it')).toBeVisible();
    grow(' more');
    await expect.element(page.getByText('Weighing it more')).toBeVisible();
    await expect.element(line).toHaveAttribute('aria-expanded', 'true');
  });

  it('is open while it streams where the setting says so, and folds when the answer begins', async () => {
    const thought = thinking();
    const { app, id, answerId } = await openRunning([thought]);
    await app.settings.set('showReasoning', true);
    await expect.element(page.getByText('Weighing it')).toBeVisible();
    const ended = { ...thought, endedAt: thought.startedAt + 12_000 };
    const changes = [{ type: 'put', index: 0, part: ended } as const, { type: 'put', index: 1, part: text('So:', 1) } as const];
    app.engine.emit('run-delta', delta(id, answerId, { revision: 2, changes }));
    await expect.element(page.getByRole('button', { name: 'Thought for 12 s' })).toHaveAttribute('aria-expanded', 'false');
  });
});
