import { expect } from '@playwright/test';
import type { App } from './app';
import { LAST_WORDS, type PathologicalText } from '../../tests/support/pathological-texts';
import type { Answer } from './replay-server';

const MODEL = 'replay-model';
/** Characters of a delta: a text of 1 MB arrives in two thousand of them. */
const DELTA_CHARACTERS = 500;
const POLL_MS = 250;
const TYPED = 'typed meanwhile';
// What was typed before is kept as a draft.
const TYPED_LAST = /typed meanwhile$/;

/** An answer that holds `text`, as the model of the replay server streams it. */
export function answerOf({ text, delta }: PathologicalText): Answer {
  if (delta === undefined) return { type: 'text', text, deltaSize: DELTA_CHARACTERS };
  const chunk = (content: string, end: string | null): string =>
    `data: ${JSON.stringify({ id: 'replay', object: 'chat.completion.chunk', created: 0, model: MODEL, choices: [{ index: 0, delta: { content }, finish_reason: end }] })}\n\n`;
  return { type: 'raw', pieces: [...text.split('').map((unit) => chunk(unit, null)), chunk('', 'stop'), 'data: [DONE]\n\n'] };
}

/** Opens the start page of the build that has the measuring functions, with the replay server as its model. */
export async function openBench({ page, server }: App): Promise<void> {
  await page.goto('/?bench=1');
  await page.waitForFunction(() => window.__bench !== undefined);
  await page.evaluate(async ({ baseUrl, model }) => window.__bench?.configure({ baseUrl, apiKey: 'sk-bench', model }), {
    baseUrl: server.url,
    model: MODEL,
  });
}

/** Sends a question, lets the answer stream in and types meanwhile. Resolves when it is drawn in full, or with what is missing after `timeoutMs`. */
export async function streamText(app: App, subject: PathologicalText, timeoutMs: number): Promise<readonly string[]> {
  app.server.enqueue(answerOf(subject));
  await app.page.evaluate(async () => window.__bench?.send('Write something terrible'));
  await app.composer.pressSequentially(TYPED);
  const missing = await waitUntilDrawn(app, subject, timeoutMs);
  await expect(app.composer).toHaveValue(TYPED_LAST);
  return missing;
}

/** Loads the page anew and opens the conversation that was open, as it was stored, typing meanwhile. Resolves as `streamText` does. */
export async function openStored(
  app: App,
  subject: PathologicalText,
  timeoutMs: number,
  beforeOpening: () => Promise<void>,
): Promise<readonly string[]> {
  const { page } = app;
  const id = /#\/c\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  expect(id).not.toBe('');
  await page.goto('/?bench=1');
  await page.waitForFunction(() => window.__bench !== undefined);
  await beforeOpening();
  await page.evaluate(async (conversation) => window.__bench?.openConversation(conversation), id);
  await app.composer.pressSequentially(TYPED);
  const missing = await waitUntilDrawn(app, subject, timeoutMs);
  await expect(app.composer).toHaveValue(TYPED_LAST);
  return missing;
}

/** Until every element is there, nothing is busy any more, and the end of the text is on screen. Resolves with what is missing in the end. */
async function waitUntilDrawn({ page }: App, { draws }: PathologicalText, timeoutMs: number): Promise<readonly string[]> {
  const answer = page.locator('[data-node]').nth(1);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    // Looked at with the browser's own means: a finder that walks through a hundred thousand elements would be the longest task.
    const missing = await answer.evaluate(whatIsMissing, { draws, words: LAST_WORDS });
    if (missing.length === 0 || Date.now() > deadline) return missing;
    await page.waitForTimeout(POLL_MS);
  }
}

/** In the page: what an answer that is drawn in full would have. */
function whatIsMissing(answer: Element, { draws, words }: { draws: Readonly<Record<string, number>>; words: string }): readonly string[] {
  const faults: string[] = [];
  if (answer.getAttribute('data-status') === 'running') faults.push('the end of the run');
  if (answer.querySelector('.markdown')?.getAttribute('aria-busy') !== 'false') faults.push('the end of drawing');
  for (const [selector, count] of Object.entries(draws)) {
    const found = answer.querySelectorAll(selector).length;
    if (found < count) faults.push(`${selector}: ${count - found} of ${count}`);
  }
  if (faults.length > 0) return faults;
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  let last: Text | undefined;
  while (walker.nextNode()) if (walker.currentNode instanceof Text && walker.currentNode.data.includes(words)) last = walker.currentNode;
  if (last === undefined) return ['the last words'];
  const range = document.createRange();
  const start = last.data.lastIndexOf(words);
  range.setStart(last, start);
  range.setEnd(last, start + words.length);
  const { top, bottom, left, right } = range.getBoundingClientRect();
  const isOnScreen = bottom > top && top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  return isOnScreen ? [] : ['the last words on screen'];
}
