import type { Page } from '@playwright/test';
import { expect, test, type App } from './support/app';
import { createHold } from './support/replay-server';
import { pseudoTexts } from '../src/app/locales/pseudo';
import { texts } from '../src/app/locales/en/texts';
import { RICH_ANSWER } from './support/texts';

const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** Proper names, addresses and what the tests themselves say: the same in every language. */
const NAMES =
  /mermaid|flowchart LR[^]*Chick\]|Jackdaw|BigModel \(GLM\)|Perplexity|Azure|Replay|replay-model|OpenAI (?:Chat Completions|Responses)|OpenAI|Responses|Anthropic Messages|Anthropic|Google Gemini|OpenRouter|xAI|Z\.ai|DeepSeek|Mistral|Moonshot|Alibaba|DashScope|Qwen|Together|Groq|Ollama|LM Studio|llama\.cpp|vLLM|https?:\/\/\S+|\d+\.\d+\.\d+\.\d+(:\d+)?|localhost\S*|English|Echo: |Draw everything|Draw|Question|API|JSON|Ctrl|Enter|Shift|Esc|Incorrect key|\d bytes|[A-Z][a-z]+ \d+, \d{4} at [\d:]+ [AP]M/g;

/** Words on the screen that did not come from the language files. */
async function foreignWords(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node instanceof Element) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(node.getAttribute(name) ?? '');
      } else if (node.parentElement?.closest('.markdown, pre, code, script, style, noscript') === null) found.push(node.textContent ?? '');
    }
    return found;
  });
  return texts.map((text) => text.replace(NAMES, '').trim()).filter((text) => /[A-Za-z]{4,}/.test(text));
}

async function checked(app: App, state: string): Promise<void> {
  const { page } = app;
  expect(await foreignWords(page), state).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow, `${state} fits the window`).toBeLessThanOrEqual(0);
  await app.accessible();
}

for (const width of [1280, 390, 320]) {
  test(`every state speaks through the language files, fits and is accessible at ${width} px`, async ({ app, server, page }) => {
    test.setTimeout(90_000);
    await page.setViewportSize({ width, height: 800 });
    await app.open();
    await app.connect();
    server.enqueue({ type: 'text', reasoning: 'Thinking aloud.', text: RICH_ANSWER });
    await app.ask('Draw everything');
    const conversation = new URL(page.url()).hash;
    const go = async (hash: string): Promise<void> => {
      await page.goto(`/?pseudo=1${hash}`);
      await expect(page.getByRole('main')).toContainText('·');
    };
    await go('#/');
    await checked(app, 'start');
    await go(conversation);
    await expect(page.locator('.katex').first()).toBeVisible();
    await checked(app, 'conversation');

    const hold = createHold();
    server.enqueue({ type: 'text', reasoning: 'Hm.', text: 'Draw', hold: { afterDeltas: 1, hold } });
    await app.composer.fill('Question');
    await app.composer.press('Enter');
    await expect(app.message(3)).toHaveAttribute('data-status', 'running');
    await checked(app, 'streaming');
    hold.release();
    await expect(app.message(3)).toHaveAttribute('data-status', 'complete');
    server.enqueue({ type: 'error', status: 401, body: { error: { message: 'Incorrect key' } } });
    await app.composer.fill('Question');
    await app.composer.press('Enter');
    await expect(app.message(5)).toHaveAttribute('data-status', 'failed');
    await checked(app, 'error');

    for (const section of ['accounts', 'accounts/new:ollama', 'accounts/new:openai', 'appearance', 'chat', 'privacy', 'data', 'about']) {
      await go(`#/settings/${section}`);
      // The list comes from the worker, a moment after the page.
      if (section === 'accounts') await expect(page.getByRole('link', { name: 'Ollama' })).toBeVisible();
      await checked(app, section);
    }
    // What opens only when asked for.
    const said = pseudoTexts(texts);
    const settings = await said.loadSettings();
    await go('#/settings/accounts/new:lmstudio');
    await page.getByRole('button', { name: settings.accounts.test }).click();
    await expect(page.getByRole('main').getByText(/:1234/).first()).toBeVisible();
    await checked(app, 'connection test');
    await go(conversation);
    await page.getByRole('button', { name: said.chat.picker.label('replay-model') }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await checked(app, 'model picker');
    await page.keyboard.press('Escape');
    await app.message(0).getByRole('button', { name: said.chat.actions.edit, exact: true }).click();
    await expect(page.getByRole('textbox', { name: said.chat.edit.label })).toBeVisible();
    await checked(app, 'edit');
    await page.keyboard.press('Escape');
    await app.message(1).getByRole('button', { name: said.chat.actions.delete }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await checked(app, 'delete dialog');
    await page.keyboard.press('Escape');
    if (width <= 768) await page.getByRole('button', { name: said.shell.openSidebar }).click();
    const row = page.getByRole('navigation').getByRole('button').first();
    await row.click();
    await expect(page.getByRole('menu')).toBeVisible();
    await checked(app, 'row menu');
    await page.keyboard.press('Escape');
    await go('#/');
    await page.locator('input[type="file"]').setInputFiles({ name: 'Draw.png', mimeType: 'image/png', buffer: PICTURE });
    await expect(page.getByRole('img', { name: 'Draw.png' })).toBeVisible();
    await checked(app, 'attachment that the model can’t see');
    await page.locator('input[type="file"]').setInputFiles({ name: 'Draw.png', mimeType: 'image/png', buffer: Buffer.from('Draw') });
    await expect(page.getByRole('alert')).toBeVisible();
    await checked(app, 'a file of another kind');

    await go('#/c/00000000-0000-4000-8000-000000000000');
    await checked(app, 'missing conversation');
  });
}
