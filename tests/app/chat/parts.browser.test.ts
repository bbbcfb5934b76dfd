import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { MediaPart, Part } from '../../../src/core/node';
import { saveBlob } from '../../../src/storage/blobs';
import { answerNode, createFakeApp, delta, seedConversation, snapshot, text, userNode, type FakeApp } from './fake-app';
import { openChat } from './open-chat';

afterEach(() => {
  history.replaceState(null, '', '#/');
});

const cite = (url: string, title: string, citedText?: string): Part => ({
  type: 'citation',
  step: 1,
  url,
  title,
  ...(citedText === undefined ? {} : { citedText }),
  textOffset: 3,
});
const search = (changes: Partial<Extract<Part, { type: 'hosted' }>>): Part => ({
  type: 'hosted',
  step: 1,
  id: 'search-1',
  name: 'web_search',
  status: 'done',
  queries: [],
  sources: [],
  ...changes,
});

async function openAnswer(parts: readonly Part[], before?: (app: FakeApp) => Promise<void>): Promise<FakeApp> {
  const app = await createFakeApp();
  await before?.(app);
  const question = userNode(null, 'Where do jackdaws nest?');
  const id = await seedConversation(app.database, [question, answerNode(question.id, { parts, finishReason: 'stop' })]);
  await openChat(app, id);
  return app;
}

/** One second of silence, as a WAV file. */
function silence(): ArrayBuffer {
  const rate = 8000;
  const bytes = new Uint8Array(44 + rate).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const write = (at: number, words: string): void => {
    Array.from(words).forEach((character, index) => {
      view.setUint8(at + index, character.charCodeAt(0));
    });
  };
  write(0, 'RIFF');
  view.setUint32(4, 36 + rate, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, 'data');
  view.setUint32(40, rate, true);
  return bytes.buffer;
}

async function picture(app: FakeApp, colour: string, width: number, height: number): Promise<MediaPart> {
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error('There is nothing to draw on.');
  drawing.fillStyle = colour;
  drawing.fillRect(0, 0, width, height);
  const bytes = await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer();
  const blob = await saveBlob(app.database, bytes, 'image/png', 1);
  return { type: 'media', step: 1, kind: 'image', blob, mimeType: 'image/png', name: `${colour}.png`, sizeBytes: bytes.byteLength };
}

describe('sources', () => {
  it('fold into one line and open to a numbered list of links with host and quoted words', async () => {
    await openAnswer([
      text('In holes', 1),
      cite('https://birds.example/nests', 'Nests', 'They nest in holes.'),
      cite('http://other.example:8080/a?b=1', 'Other'),
      cite('https://birds.example/nests', 'Nests', 'Also in chimneys.'),
    ]);
    const group = page.getByRole('group', { name: 'Sources' });
    await expect.element(group.getByRole('link')).not.toBeInTheDocument();
    await group.getByRole('button', { name: '2 sources' }).click();
    const items = group.getByRole('listitem');
    await expect.element(items.nth(0)).toHaveTextContent(/Nests.*birds\.example.*They nest in holes\..*Also in chimneys\./);
    await expect.element(items.nth(1)).toHaveTextContent(/Other.*other\.example:8080/);
    for (const link of group.getByRole('link').elements()) {
      expect(link.getAttribute('target')).toBe('_blank');
      expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    }
  });

  it('take titles as plain text and only addresses of the web', async () => {
    await openAnswer([
      text('Words', 1),
      cite('https://safe.example/', '<img src=x onerror=alert(1)> \u202egnp.exe'),
      cite('javascript:alert(1)', 'Script'),
      cite('data:text/html,hello', 'Data'),
      cite('https://untitled.example/page', ' '),
    ]);
    await page.getByRole('button', { name: '2 sources' }).click();
    const links = page.getByRole('group', { name: 'Sources' }).getByRole('link');
    await expect.element(links.first()).toHaveTextContent('<img src=x onerror=alert(1)>');
    expect(links.elements().map((link) => link.getAttribute('href'))).toEqual(['https://safe.example/', 'https://untitled.example/page']);
    expect(links.elements()[0]?.firstElementChild?.tagName).toBe('BDI');
    await expect.element(links.nth(1)).toHaveTextContent('untitled.example/page');
  });

  it('named in the middle of a text that is still written leave it one text', async () => {
    const app = await createFakeApp();
    const question = userNode(null, 'Hello');
    const answer = answerNode(question.id, {}, 'running');
    const id = await seedConversation(app.database, [question, answer]);
    app.engine.handlers.watch = async () =>
      Promise.resolve(snapshot(id, answer.id, { parts: [text('One', 1), cite('https://a.example', 'A')] }));
    await openChat(app, id);
    await expect.element(page.getByRole('button', { name: '1 source' })).toBeVisible();
    app.engine.emit('run-delta', delta(id, answer.id, { changes: [{ type: 'append', index: 0, text: ' and two' }] }));
    await expect.element(page.getByText('One and two')).toBeVisible();
  });
});

describe('work of the provider’s server', () => {
  it('says in one line what was searched and opens to queries and sources', async () => {
    await openAnswer([
      search({ queries: ['jackdaw nests', 'corvids'], sources: [{ url: 'https://birds.example/', title: 'Birds' }] }),
      text('In holes', 1),
    ]);
    await page.getByRole('button', { name: 'Searched the web: jackdaw nests, corvids' }).click();
    await expect.element(page.getByRole('link', { name: /^Birds/ })).toHaveAttribute('href', 'https://birds.example/');
    await expect.element(page.getByRole('listitem').filter({ hasText: 'corvids' })).toBeVisible();
  });

  it('has no button where there is nothing behind it, and says what failed', async () => {
    await openAnswer([search({ status: 'failed' }), search({ id: '2', name: 'mystery_tool' }), text('Words', 1)]);
    await expect.element(page.getByText('The web search failed')).toBeVisible();
    await expect.element(page.getByText('mystery_tool ran at the provider')).toBeVisible();
    await expect.element(page.getByRole('button', { name: /search|mystery/ })).not.toBeInTheDocument();
  });

  it('that never ended does not run for ever', async () => {
    await openAnswer([search({ status: 'running', name: 'code_execution', queries: ['print(1)'] }), text('Words', 1)]);
    await page.getByRole('button', { name: 'Running code at the provider was stopped' }).click();
    await expect.element(page.getByText('print(1)')).toBeVisible();
  });

  it('is told of once nothing has moved for a while, until something does', async () => {
    const app = await createFakeApp();
    const question = userNode(null, 'Hello');
    const answer = answerNode(question.id, {}, 'running');
    const id = await seedConversation(app.database, [question, answer]);
    const parts = [text('One', 1), search({ status: 'running', queries: ['nests'] })];
    app.engine.handlers.watch = async () => Promise.resolve(snapshot(id, answer.id, { parts }));
    await openChat(app, id);
    const line = page.getByText('Searching the web: nests');
    const begun = performance.now();
    await expect.element(page.getByText('One')).toBeVisible();
    await expect.element(line).not.toBeInTheDocument();
    await expect.element(line).toBeVisible();
    expect(performance.now() - begun).toBeGreaterThan(1000);
    app.engine.emit('run-delta', delta(id, answer.id, { changes: [{ type: 'append', index: 0, text: ' and two' }] }));
    await expect.element(line).not.toBeInTheDocument();
    await expect.element(page.getByText('One and two')).toBeVisible();
  });

  it('names the pages that the answer links to, where it says nothing of its sources', async () => {
    await openAnswer([search({}), text('See [Nests](https://birds.example/nests).', 1)]);
    await page.getByRole('button', { name: '1 source' }).click();
    await expect.element(page.getByRole('group', { name: 'Sources' }).getByRole('link', { name: /^Nests/ })).toBeVisible();
  });
});

describe('a thought that the provider keeps to itself', () => {
  it('is a line that does not open', async () => {
    await openAnswer([{ type: 'reasoning', step: 1, text: '', startedAt: 1000, endedAt: 6000 }, text('Words', 1)]);
    await expect.element(page.getByText('Thought for 5 s')).toBeVisible();
    await expect.element(page.getByRole('button', { name: /Thought/ })).not.toBeInTheDocument();
  });
});

describe('a refusal', () => {
  it('that is only a word of the protocol is told in a sentence', async () => {
    await openAnswer([{ type: 'refusal', step: 1, text: 'IMAGE_SAFETY' }]);
    await expect.element(page.getByText('The provider’s filter stopped this answer and gave “IMAGE_SAFETY” as the reason.')).toBeVisible();
  });
});

describe('a tool that ran', () => {
  it('shows its arguments, its result and the pictures it made', async () => {
    const app = await createFakeApp();
    const media = await picture(app, 'teal', 40, 20);
    const tool: Part = {
      type: 'tool',
      step: 1,
      callId: 'c',
      wireId: 'w',
      name: 'draw',
      argumentsText: '{"colour":"teal"}',
      approval: 'auto',
      execution: 'done',
      result: { text: 'It is drawn.', media: [media] },
    };
    const question = userNode(null, 'Draw');
    await openChat(app, await seedConversation(app.database, [question, answerNode(question.id, { parts: [tool] })]));
    await expect.element(page.getByRole('button', { name: 'Open teal.png larger' })).toBeVisible();
    await page.getByRole('button', { name: 'Used draw' }).click();
    await expect.element(page.getByText('It is drawn.')).toBeVisible();
    await expect.element(page.getByText(/"colour": "teal"/)).toBeVisible();
    await expect.element(page.getByText('It was not run.')).not.toBeInTheDocument();
  });
});

describe('a tool that nobody ran', () => {
  it('says why, also once its answer is at rest', async () => {
    const call = {
      type: 'tool',
      step: 1,
      callId: 'c',
      wireId: 'w',
      name: 'draw',
      argumentsText: '{"colour":"te',
      approval: 'auto',
    } as const;
    await openAnswer([{ ...call, execution: 'interrupted' }]);
    await page.getByRole('button', { name: 'Wanted to use draw' }).click();
    await expect.element(page.getByText('{"colour":"te')).toBeVisible();
    await expect.element(page.getByText('It was not run.')).toBeVisible();
  });
});

describe('files', () => {
  it('several pictures of an answer stand beside each other, and a click opens one larger', async () => {
    await page.viewport(1000, 700);
    onTestFinished(async () => page.viewport(414, 896));
    const app = await createFakeApp();
    const files = [await picture(app, 'teal', 300, 200), await picture(app, 'olive', 200, 300), await picture(app, 'maroon', 1600, 200)];
    const question = userNode(null, 'Draw');
    await openChat(app, await seedConversation(app.database, [question, answerNode(question.id, { parts: files })]));
    const buttons = page.getByRole('button', { name: /^Open .*png larger/ });
    await vi.waitFor(() => {
      expect(buttons.elements()).toHaveLength(3);
      expect(page.getByRole('img').elements()).toHaveLength(3);
    });
    const [first, second] = buttons.elements().map((element) => element.getBoundingClientRect());
    expect(first?.bottom).toBe(second?.bottom);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth);
    await buttons.nth(1).click();
    await expect.element(page.getByRole('dialog', { name: 'olive.png' }).getByRole('img')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  it('of a question are chips with name and size; sound plays from what is stored', async () => {
    const app = await createFakeApp();
    const sound = silence();
    const blob = await saveBlob(app.database, sound, 'audio/wav', 1);
    const parts: Part[] = [
      {
        type: 'media',
        step: 0,
        kind: 'document',
        blob: 'f'.repeat(64),
        mimeType: 'application/pdf',
        name: 'thesis.pdf',
        sizeBytes: 1_234_567,
      },
      { type: 'media', step: 0, kind: 'audio', blob, mimeType: 'audio/wav', name: 'call.wav', sizeBytes: sound.byteLength },
    ];
    await openChat(app, await seedConversation(app.database, [userNode(null, 'Read and listen', parts)]));
    await expect.element(page.getByText('thesis.pdf')).toBeVisible();
    await expect.element(page.getByText('1.2 MB')).toBeVisible();
    const player = page.getByLabelText('Play call.wav');
    await expect.element(player).toHaveAttribute('src', expect.stringMatching(/^blob:/));
    await vi.waitFor(() => {
      const element = player.element();
      expect(element instanceof HTMLAudioElement ? element.duration : 0).toBeCloseTo(1);
    });
  });
});
