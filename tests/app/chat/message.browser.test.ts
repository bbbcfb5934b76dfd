import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { AppError, type ErrorCode } from '../../../src/core/errors';
import type { Commands } from '../../../src/core/protocol';
import { saveModelList } from '../../../src/storage/model-lists';
import { saveAccount } from '../../../src/storage/accounts';
import { selectNode } from '../../../src/storage/tree';
import { answerNode, createFakeApp, seedConversation, stamp, text, userNode, type FakeApp } from './fake-app';
import { openChat } from './open-chat';

afterEach(() => {
  history.replaceState(null, '', '#/');
});

async function openFailed(code: ErrorCode, words = ''): Promise<{ app: FakeApp; answerId: string }> {
  const app = await createFakeApp();
  const question = userNode(null, 'Hello');
  const error = { code, retryable: true, details: { host: 'api.example', status: 401 } };
  const answer = answerNode(question.id, { parts: words === '' ? [] : [text(words, 1)], error }, 'failed');
  const id = await seedConversation(app.database, [question, answer]);
  const done = async (): Promise<{ conversationId: string; nodeId: string; answerId: string }> =>
    Promise.resolve({ conversationId: id, nodeId: answer.id, answerId: answer.id });
  app.engine.handlers.regenerate = done;
  app.engine.handlers.continue = done;
  await openChat(app, id);
  return { app, answerId: answer.id };
}

describe('a failed answer', () => {
  it('says what happened and leads to the account where the key is wrong', async () => {
    await openFailed('auth');
    await expect.element(page.getByText('api.example did not accept the key.')).toBeVisible();
    await expect.element(page.getByText(/Check the key/)).toBeVisible();
    await expect
      .element(page.getByRole('link', { name: 'Open account settings' }))
      .toHaveAttribute('href', '#/settings/accounts/account-1');
    await page.getByText('Details').click();
    await expect.element(page.getByText(/status: 401/)).toBeVisible();
  });

  it('can be tried again', async () => {
    const { app, answerId } = await openFailed('overloaded');
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(app.engine.callsOf('regenerate')).toMatchObject([{ nodeId: answerId }]);
    await expect.element(page.getByRole('button', { name: 'Continue' })).not.toBeInTheDocument();
  });

  it('can be continued where there is text', async () => {
    const { app, answerId } = await openFailed('stream-cut', 'Half an answer');
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(app.engine.callsOf('continue')).toMatchObject([{ nodeId: answerId }]);
  });

  it('turns the offline lock off and tries again', async () => {
    const { app } = await openFailed('offline-lock');
    await app.settings.set('offlineLock', true);
    await page.getByRole('button', { name: 'Turn off the offline lock' }).click();
    await vi.waitFor(() => {
      expect(app.engine.callsOf('regenerate')).toHaveLength(1);
    });
    expect(app.settings.current.offlineLock).toBe(false);
  });

  it('shows a command that fails at its message, until dismissed', async () => {
    const { app } = await openFailed('overloaded');
    app.engine.handlers.regenerate = async () => Promise.reject(new AppError('owner-silent'));
    await page.getByRole('button', { name: 'Try again' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'does not react' });
    await expect.element(alert).toBeVisible();
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(alert).not.toBeInTheDocument();
  });
});

describe('alternatives', () => {
  it('are counted, and chosen by button and arrow key', async () => {
    const app = await createFakeApp();
    const question = userNode(null, 'Hello');
    const first = answerNode(question.id, { parts: [text('The first', 1)] });
    const second = answerNode(question.id, { parts: [text('The second', 1)] });
    const id = await seedConversation(app.database, [question, first, second]);
    app.engine.handlers.select = async ({ nodeId }: Commands['select']['args']) => {
      await selectNode(app.database, id, nodeId, stamp());
      return null;
    };
    await openChat(app, id);
    await expect.element(page.getByText('The second')).toBeVisible();
    await expect.element(page.getByText('2/2')).toBeVisible();
    await page.getByRole('button', { name: 'Previous alternative' }).click();
    await expect.element(page.getByText('The first')).toBeVisible();
    await expect.element(page.getByText('1/2')).toBeVisible();
    const next = page.getByRole('button', { name: 'Next alternative' });
    await expect.element(page.getByRole('button', { name: 'Previous alternative' })).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    await expect.element(page.getByText('The second')).toBeVisible();
    await expect.element(next).toHaveFocus();
  });
});

describe('an alternative that is chosen', () => {
  async function openTwoAnswers() {
    const app = await createFakeApp();
    const question = userNode(null, 'Hello');
    const first = answerNode(question.id, { parts: [text('The first', 1)] });
    const more = userNode(first.id, 'And then?');
    const second = answerNode(question.id, { parts: [text('The second', 1)] });
    const id = await seedConversation(app.database, [question, first, more, second]);
    await openChat(app, id);
    await expect.element(page.getByText('The second')).toBeVisible();
    return app;
  }

  it('is shown with what follows it before the choice is stored', async () => {
    const app = await openTwoAnswers();
    app.engine.handlers.select = async () => new Promise(() => undefined);
    await page.getByRole('button', { name: 'Previous alternative' }).click();
    await expect.element(page.getByText('The first')).toBeVisible();
    await expect.element(page.getByText('And then?')).toBeVisible();
    await expect.element(page.getByText('The second')).not.toBeInTheDocument();
  });

  it('gives way to the stored one where the choice can’t be stored, which says so', async () => {
    const app = await openTwoAnswers();
    app.engine.handlers.select = async () => Promise.reject(new AppError('storage-quota'));
    await page.getByRole('button', { name: 'Previous alternative' }).click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.element(page.getByText('The second')).toBeVisible();
    await expect.element(page.getByText('And then?')).not.toBeInTheDocument();
  });
});

describe('editing and deleting', () => {
  it('sends other words as a branch, keeps them when refused, and gives up with Escape', async () => {
    const app = await createFakeApp();
    const question = userNode(null, 'Helo');
    const id = await seedConversation(app.database, [question]);
    app.engine.handlers.edit = async () => Promise.reject(new AppError('node-not-editable'));
    await openChat(app, id);
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = page.getByRole('textbox', { name: 'Edit message' });
    await field.fill('Hello');
    await page.getByRole('button', { name: 'Save as branch' }).click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.element(field).toHaveValue('Hello');
    expect(app.engine.callsOf('edit')).toMatchObject([{ nodeId: question.id, answer: false, draft: { text: 'Hello' } }]);
    await field.click();
    await userEvent.keyboard('{Escape}');
    await expect.element(field).not.toBeInTheDocument();
  });

  it('deletes only after a question', async () => {
    const app = await createFakeApp();
    const question = userNode(null, 'Hello');
    const id = await seedConversation(app.database, [question]);
    app.engine.handlers['delete-node'] = async () => Promise.resolve(null);
    await openChat(app, id);
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this message?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(app.engine.callsOf('delete-node')).toHaveLength(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    expect(app.engine.callsOf('delete-node')).toMatchObject([{ nodeId: question.id }]);
  });
});

describe('the model picker', () => {
  it('finds a model by its words, chooses it with the keys, and takes a name that no list has', async () => {
    const app = await createFakeApp();
    const account = { provider: 'p', preset: 'p', baseUrl: 'https://example.org', hasKey: false, streaming: true } as const;
    const plain = { reasoning: 'auto', sampling: {}, headers: [], body: {}, overrides: {} } as const;
    await saveAccount(app.database, { ...account, ...plain, id: 'account-1', name: 'Near' }, null, stamp());
    const capabilities = { vision: true, tools: false, reasoning: false, contextTokens: 8192 };
    const models = [
      { id: 'small-1', name: 'Small One', capabilities },
      { id: 'large-1', name: 'Large One', capabilities },
    ];
    await saveModelList(app.database, 'account-1', models, 1);
    await openChat(app, null);
    await page.getByRole('button', { name: 'Choose a model' }).click();
    const search = page.getByRole('combobox', { name: 'Search models' });
    await expect.element(search).toHaveFocus();
    await userEvent.keyboard('large one{Enter}');
    await expect.element(page.getByRole('button', { name: 'Model: Large One' })).toBeVisible();
    expect(app.settings.current.defaultModel).toEqual({ accountId: 'account-1', modelId: 'large-1' });

    await page.getByRole('button', { name: 'Model: Large One' }).click();
    await search.fill('my-model:8b');
    await page.getByRole('option', { name: /Use “my-model:8b”/ }).click();
    await expect.element(page.getByRole('button', { name: 'Model: my-model:8b' })).toBeVisible();
    await expect.element(search).not.toBeInTheDocument();
  });

  it('says why it is empty', async () => {
    const app = await createFakeApp();
    await openChat(app, null);
    await page.getByRole('button', { name: 'Choose a model' }).click();
    await expect.element(page.getByText(/No account yet/)).toBeVisible();
    await expect
      .element(page.getByRole('dialog').getByRole('link', { name: 'Connect a model' }))
      .toHaveAttribute('href', '#/settings/accounts');
  });
});

describe('a conversation that is not there', () => {
  it('says so and offers a new one', async () => {
    const app = await createFakeApp();
    await openChat(app, crypto.randomUUID());
    await expect.element(page.getByText('This conversation is not here.')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Start a new chat' })).toHaveAttribute('href', '#/');
  });
});
