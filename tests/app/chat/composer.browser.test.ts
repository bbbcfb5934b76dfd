import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { AppError } from '../../../src/core/errors';
import type { Commands } from '../../../src/core/protocol';
import { createConversation } from '../../../src/storage/conversations';
import { readDraft } from '../../../src/storage/drafts';
import { appendNodes } from '../../../src/storage/tree';
import { createFakeApp, dialogue, MODEL, seedConversation, stamp, userNode, type FakeApp } from './fake-app';
import { composer, openChat, painted } from './open-chat';

const PNG = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

afterEach(() => {
  history.replaceState(null, '', '#/');
});

/** Stores what is sent as the worker would. */
function acceptSends(app: FakeApp): void {
  app.engine.handlers.send = async ({ conversationId, messageId, draft }: Commands['send']['args']) => {
    const id = conversationId ?? messageId;
    if (conversationId === null) await createConversation(app.database, { id, assistantId: 'munin' }, stamp());
    await appendNodes(app.database, id, [{ ...userNode(null, draft.text), id: messageId }], stamp());
    return { conversationId: id, nodeId: messageId, answerId: null };
  };
}

function paste(file: File): void {
  const clipboardData = new DataTransfer();
  clipboardData.items.add(file);
  composer().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

describe('sending', () => {
  it('starts a conversation without mounting the field anew or losing what is typed meanwhile', async () => {
    const app = await createFakeApp();
    acceptSends(app);
    await openChat(app, null);
    const field = composer();
    field.focus();
    await userEvent.keyboard('Hello there{Enter}');
    await expect.element(page.getByText('Hello there')).toBeVisible();
    expect(composer()).toBe(field);
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe('');
    await userEvent.keyboard('next');
    expect(field.value).toBe('next');
    expect(app.router.current).toMatchObject({ name: 'chat', conversationId: expect.any(String) });
  });

  it('keeps the text and says why when it is refused', async () => {
    const app = await createFakeApp();
    app.engine.handlers.send = async () => Promise.reject(new AppError('model-missing'));
    await openChat(app, null);
    composer().focus();
    await userEvent.keyboard('Keep me{Enter}');
    await expect.element(page.getByRole('alert').filter({ hasText: 'No model is chosen.' })).toBeVisible();
    expect(composer().value).toBe('Keep me');
  });

  it('sends once for two quick presses, and once more under the same id where the worker died', async () => {
    const app = await createFakeApp();
    const answers: (() => void)[] = [];
    app.engine.handlers.send = async ({ messageId }) =>
      new Promise((resolve) => answers.push(() => resolve({ conversationId: messageId, nodeId: messageId, answerId: null })));
    await openChat(app, null);
    composer().focus();
    await userEvent.keyboard('Once{Enter}{Enter}');
    expect(app.engine.callsOf('send')).toHaveLength(1);
    answers[0]?.();
    await vi.waitFor(() => {
      expect(composer().value).toBe('');
    });

    let tries = 0;
    app.engine.handlers.send = async ({ messageId }) => {
      tries += 1;
      if (tries === 1) throw new AppError('worker-died');
      return Promise.resolve({ conversationId: messageId, nodeId: messageId, answerId: null });
    };
    app.router.go({ name: 'chat', conversationId: null });
    await painted();
    composer().focus();
    await userEvent.keyboard('Twice{Enter}');
    await vi.waitFor(() => {
      expect(composer().value).toBe('');
    });
    const [first, second] = app.engine.callsOf('send').slice(1);
    expect(second).toEqual(first);
  });

  it('breaks the line with Shift+Enter, and does not send an Enter of an input method', async () => {
    const app = await createFakeApp();
    acceptSends(app);
    await openChat(app, null);
    const field = composer();
    field.focus();
    await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two');
    expect(field.value).toBe('one\ntwo');
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }));
    field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13, bubbles: true, cancelable: true }));
    expect(app.engine.callsOf('send')).toHaveLength(0);
  });

  it('does not send while an answer is written, and says so', async () => {
    const app = await createFakeApp();
    const nodes = dialogue(1);
    const last = nodes.at(-1);
    const id = await seedConversation(
      app.database,
      last === undefined ? [] : [...nodes.slice(0, -1), { ...last, status: 'running', steps: [] }],
    );
    await openChat(app, id);
    await expect.element(page.getByRole('button', { name: 'Stop' })).toBeVisible();
    composer().focus();
    await userEvent.keyboard('Later{Enter}');
    await expect.element(page.getByText(/still being written/)).toBeVisible();
    expect(composer().value).toBe('Later');
    expect(app.engine.callsOf('send')).toHaveLength(0);
  });
});

describe('the draft', () => {
  it('is kept for each conversation, survives leaving, and comes back', async () => {
    const app = await createFakeApp();
    const id = await seedConversation(app.database, dialogue(1));
    await openChat(app, id);
    composer().focus();
    await userEvent.keyboard('Half a thought');
    app.router.go({ name: 'chat', conversationId: null });
    await vi.waitFor(() => {
      expect(composer().value).toBe('');
    });
    expect((await readDraft(app.database, id))?.text).toBe('Half a thought');
    app.router.go({ name: 'chat', conversationId: id });
    await vi.waitFor(() => {
      expect(composer().value).toBe('Half a thought');
    });
  });
});

describe('images', () => {
  it('are attached by a paste, stored, shown, and can be removed', async () => {
    const app = await createFakeApp();
    await openChat(app, null);
    paste(new File([PNG], 'pasted.bin', { type: 'application/octet-stream' }));
    await expect.element(page.getByRole('img', { name: 'pasted.bin' })).toBeVisible();
    await vi.waitFor(async () => {
      expect((await readDraft(app.database, 'new'))?.attachments[0]).toMatchObject({ mimeType: 'image/png', sizeBytes: PNG.byteLength });
    });
    expect(await app.database.blobs.count()).toBe(1);
    await page.getByRole('button', { name: 'Remove pasted.bin' }).click();
    await expect.element(page.getByRole('img', { name: 'pasted.bin' })).not.toBeInTheDocument();
  });

  it('are refused where the bytes are no image, whatever the name says', async () => {
    const app = await createFakeApp();
    await openChat(app, null);
    paste(new File(['<svg/>'], 'picture.png', { type: 'image/png' }));
    await expect.element(page.getByRole('alert').filter({ hasText: 'picture.png is not a kind of file' })).toBeVisible();
    expect(await app.database.blobs.count()).toBe(0);
  });

  it('are not sent to a model that can’t see, and the draft stays', async () => {
    const app = await createFakeApp();
    app.engine.handlers.capabilities = async () => Promise.resolve({ vision: false, tools: false, reasoning: false, contextTokens: null });
    await app.settings.set('defaultModel', MODEL);
    await openChat(app, null);
    paste(new File([PNG], 'bird.png'));
    await expect.element(page.getByText(/^test-model can’t read images\. Remove/)).toBeVisible();
    composer().focus();
    await userEvent.keyboard('Which bird?{Enter}');
    await expect.element(page.getByRole('alert').filter({ hasText: 'can’t read images' })).toBeVisible();
    expect(app.engine.callsOf('send')).toHaveLength(0);
    expect(composer().value).toBe('Which bird?');
  });
});

describe('PDFs and sound', () => {
  it('are attached as chips with name and size, and can be removed', async () => {
    const app = await createFakeApp();
    await openChat(app, null);
    paste(new File(['%PDF-1.7 words'], 'thesis', { type: '' }));
    paste(new File(['ID3\x04 a song'], 'song.mp3', { type: 'audio/mpeg' }));
    const list = page.getByRole('list', { name: 'Attached files' });
    await expect.element(list.getByText('thesis')).toBeVisible();
    await expect.element(list.getByText('song.mp3')).toBeVisible();
    await vi.waitFor(async () => {
      expect((await readDraft(app.database, 'new'))?.attachments.map(({ kind, mimeType }) => [kind, mimeType])).toEqual([
        ['document', 'application/pdf'],
        ['audio', 'audio/mpeg'],
      ]);
    });
    await page.getByRole('button', { name: 'Remove thesis' }).click();
    await expect.element(list.getByText('thesis')).not.toBeInTheDocument();
    await expect.element(list.getByText('song.mp3')).toBeVisible();
  });

  it.each([
    ['%PDF-1.7', 'paper.pdf', 'read PDFs'],
    ['fLaC....', 'bird.flac', 'hear sound'],
  ])('%s is not sent to a model that can’t take it', async (bytes, name, words) => {
    const app = await createFakeApp();
    await app.settings.set('defaultModel', MODEL);
    await openChat(app, null);
    paste(new File([bytes], name));
    await expect.element(page.getByText(new RegExp(`^test-model can’t ${words}\\. Remove`))).toBeVisible();
    composer().focus();
    await userEvent.keyboard('Look{Enter}');
    await expect.element(page.getByRole('alert').filter({ hasText: `can’t ${words}` })).toBeVisible();
    expect(app.engine.callsOf('send')).toHaveLength(0);
  });

  it('goes to a model that takes it', async () => {
    const app = await createFakeApp();
    acceptSends(app);
    app.engine.handlers.capabilities = async () =>
      Promise.resolve({ vision: false, tools: false, reasoning: false, documents: true, contextTokens: null });
    await app.settings.set('defaultModel', MODEL);
    await openChat(app, null);
    paste(new File(['%PDF-1.7'], 'paper.pdf'));
    await expect.element(page.getByText('paper.pdf')).toBeVisible();
    composer().focus();
    await userEvent.keyboard('Sum up{Enter}');
    await vi.waitFor(() => {
      expect(app.engine.callsOf('send')).toMatchObject([
        { draft: { text: 'Sum up', attachments: [{ kind: 'document', name: 'paper.pdf' }] } },
      ]);
    });
  });
});
