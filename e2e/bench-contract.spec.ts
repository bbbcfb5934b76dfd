import { expect, test } from './support/app';

test('the measuring harness can drive the app', async ({ page, server }) => {
  await page.addInitScript(() => {
    window.benchContent = {
      title: (conversation) => `Seeded ${conversation}`,
      message: (conversation, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        text: `Text ${index} of ${conversation} ${index === 3 ? 'LAST-WORD' : ''}`,
      }),
    };
  });
  const ready = async (): Promise<void> => {
    await page.waitForFunction(() => window.__bench !== undefined);
  };
  await page.goto('/?bench=1');
  await ready();
  await page.evaluate(async (baseUrl) => window.__bench?.configure({ baseUrl, apiKey: 'sk-bench', model: 'replay-model' }), server.url);
  const ids = await page.evaluate(async () => window.__bench?.seed({ conversations: 2, messagesPerConversation: 4 }));
  await page.reload();
  await ready();
  await page.evaluate(async (id) => window.__bench?.openConversation(id ?? ''), ids?.[1]);
  await expect(page.getByText('Text 3 of 1 LAST-WORD')).toBeInViewport();
  await expect(page.getByRole('navigation').getByRole('link').nth(0)).toHaveText(/Seeded 0/);

  server.enqueue({ type: 'text', text: `${'word '.repeat(200)}END-OF-ANSWER`, tokensPerSecond: 400 });
  await page.evaluate(async () => window.__bench?.send('Measure this'));
  const composer = page.locator('[data-bench="composer"]');
  await composer.pressSequentially('typed meanwhile');
  await expect(page.getByRole('region', { name: 'Conversation' }).getByText('END-OF-ANSWER')).toBeInViewport();
  await expect(composer).toHaveValue('typed meanwhile');
});

test('the functions are there only on request', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('[data-bench="composer"]')).toBeVisible();
  expect(await page.evaluate(() => '__bench' in window)).toBe(false);
});
