import { tick } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { page } from 'vitest/browser';
import Markdown from '../../../src/app/markdown/Markdown.svelte';
import { LABELS } from './labels';
import { SAMPLES } from './samples';

interface Shown {
  readonly root: Element;
  readonly show: (text: string, streaming: boolean) => Promise<void>;
}

async function mount(text: string, streaming = false, onloadimage?: (url: string) => Promise<Blob>): Promise<Shown> {
  const props = { text, streaming, idPrefix: 'm1', labels: LABELS, onloadimage };
  const { container, rerender } = await render(Markdown, props);
  const root = container.querySelector('.markdown');
  if (root === null) throw new Error('Nothing was rendered.');
  return { root, show: (next, isStreaming) => rerender({ ...props, text: next, streaming: isStreaming }) };
}

const settled = (root: Element): Promise<void> =>
  vi.waitFor(() => expect(root.getAttribute('aria-busy')).toBe('false'), { timeout: 60_000 });

/** The elements and words, without what arrives later by itself: colours of code, drawn formulas. */
function outline(root: Element): string {
  const copy = root.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const formula of copy.querySelectorAll('.formula')) formula.textContent = '';
  for (const source of copy.querySelectorAll('.source, .formula')) source.replaceWith('[formula]');
  for (const piece of copy.querySelectorAll('.piece')) piece.replaceWith(piece.textContent);
  return copy.innerHTML.replaceAll('<!---->', '');
}

describe('what an answer looks like', () => {
  it('draws the elements of ordinary markdown', async () => {
    const { root } = await mount(SAMPLES['ordinary'] ?? '');
    for (const name of ['h2', 'ol > li', 'ul > li', 'blockquote', 'table', 'pre', 'strong', 'em', 'del', 'br', 'hr', 'code']) {
      expect(root.querySelector(name), name).not.toBeNull();
    }
    expect(root.querySelector('h1')).toBeNull();
    expect(root.querySelector('li.task.done [role=img]')?.getAttribute('aria-label')).toBe(LABELS.taskDone);
  });

  it('keeps every line of words in one text node', async () => {
    const { root } = await mount('Some `x` plain words, 3 * 4 \\* 5 and an & entity\nover two lines.');
    const words = [...(root.querySelector('p')?.childNodes ?? [])].filter((node) => node instanceof Text && node.data !== '');
    expect(words.map((node) => node.textContent)).toEqual(['Some ', ' plain words, 3 * 4 * 5 and an & entity\nover two lines.']);
  });

  it('closes Chinese emphasis beside punctuation', async () => {
    const { root } = await mount('**“粗体”**文字');
    expect(root.querySelector('strong')?.textContent).toBe('“粗体”');
  });

  it('draws formulas and leaves prices alone', async () => {
    const { root } = await mount('It costs $5 and $10, but $x^2$ and\n\n$$\n\\int_0^1 x\n$$\n\n$\\notacommand{x}$');
    await vi.waitFor(() => expect(root.querySelectorAll('.katex math')).toHaveLength(2), { timeout: 15_000 });
    expect(root.textContent).toContain('$5 and $10');
    expect(root.querySelector('.source')?.textContent).toBe('$\\notacommand{x}$');
  });

  it('colours a closed code block and keeps its text', async () => {
    const code = 'const a = "x";\n// comment <b>\nfunction f() { return 1; }';
    const { root, show } = await mount(`\`\`\`ts\n${code}`, true);
    expect(root.querySelector('pre')?.textContent).toBe(code);
    await show(`\`\`\`ts\n${code}\n\`\`\``, true);
    await vi.waitFor(() => expect(root.querySelector('pre .hljs-keyword')).not.toBeNull(), { timeout: 15_000 });
    expect(root.querySelector('pre')?.textContent).toBe(code);
  });

  it('colours a long block by the piece, strings over several pieces included', async () => {
    const code = `${'const a = 1;\n'.repeat(150)}const long = \`\n${'text\n'.repeat(120)}\`;\n${'const b = 2;\n'.repeat(80)}end();`;
    const { root } = await mount(`\`\`\`js\n${code}\n\`\`\``);
    await vi.waitFor(() => expect(root.querySelectorAll('.hljs-number')).toHaveLength(230), { timeout: 15_000 });
    expect(root.querySelector('pre')?.textContent).toBe(code);
    expect([...root.querySelectorAll('.hljs-string')].some((string) => string.textContent.split('\n').length > 120)).toBe(true);
    getSelection()?.selectAllChildren(root.querySelector('pre') ?? root);
    expect(getSelection()?.toString()).toBe(code);
  });

  it('leaves a line plain that nobody reads, and colours what stands around it', async () => {
    const long = `var a = [${'1,'.repeat(15_000)}];`;
    const code = `const b = 2;\n${long}\nconst c = 3;`;
    const { root } = await mount(`\`\`\`js\n${code}\n\`\`\``);
    await vi.waitFor(() => expect(root.querySelectorAll('.hljs-keyword')).toHaveLength(2), { timeout: 15_000 });
    expect(root.querySelector('pre')?.textContent).toBe(code);
    const tops = [...root.querySelectorAll('.piece')].map((piece) => piece.getBoundingClientRect().top);
    expect(new Set(tops).size).toBe(3);
    // However long, it is one line.
    expect(root.querySelectorAll('.piece')[1]?.getBoundingClientRect().height).toBeLessThan(40);
  });

  it('leaves an unknown language plain', async () => {
    const { root } = await mount('```nosuchlanguage\nx\n```');
    expect(root.querySelector('.language')?.textContent).toBe('nosuchlanguage');
    expect(root.querySelector('pre')?.textContent).toBe('x');
  });

  it('copies the code as it is written', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await mount('```\n  a\n\tb\n```');
    await page.getByRole('button', { name: LABELS.copyCode }).click();
    expect(write).toHaveBeenCalledWith('  a\n\tb');
    await expect.element(page.getByRole('status')).toHaveTextContent(LABELS.copied);
    write.mockRejectedValue(new DOMException('refused', 'NotAllowedError'));
    await page.getByRole('button', { name: LABELS.copyCode }).click();
    await expect.element(page.getByRole('status')).toHaveTextContent(LABELS.copyRefused);
    expect(getSelection()?.toString()).toBe('  a\n\tb');
    write.mockRestore();
  });

  it('wraps long lines when asked', async () => {
    const { root } = await mount(`\`\`\`\n${'word '.repeat(400)}\n\`\`\``);
    const box = root.querySelector('pre');
    const isScrolling = (): boolean => (box?.scrollWidth ?? 0) > (box?.clientWidth ?? 0);
    expect(isScrolling()).toBe(true);
    await page.getByRole('button', { name: LABELS.wrapLines }).click();
    expect(isScrolling()).toBe(false);
  });

  it('marks code that hides its order', async () => {
    const { root } = await mount('```js\nif (isAdmin) { /*\u202e } \u2066if (ok)\u2069 \u2066 begin*/\n```');
    expect(root.textContent).toContain(LABELS.hiddenDirection);
  });

  it('shows where links lead and takes no other scheme', async () => {
    const { root } = await mount(
      '[docs](https://example.org/a) <https://example.org/b> [https://bank.example](https://bank.example.evil.invalid/) [x](javascript:alert(1)) [r](./file.md)',
    );
    const links = [...root.querySelectorAll('a')];
    expect(links.map((link) => link.textContent)).toEqual([
      'docs example.org',
      'https://example.org/b',
      'https://bank.example bank.example.evil.invalid',
    ]);
    for (const link of links) expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer nofollow']);
    expect(links[2]?.classList.contains('misleading')).toBe(true);
    expect(root.textContent).toContain('[x](javascript:alert(1))');
    expect(root.textContent).toContain('r (./file.md)');
  });

  it('draws right-to-left paragraphs from the right, code aside', async () => {
    const { root } = await mount('مرحبا بالعالم `code`\n\nHello');
    const [arabic, english] = root.querySelectorAll('p');
    expect([arabic, english].map((paragraph) => (paragraph === undefined ? '' : getComputedStyle(paragraph).direction))).toEqual([
      'rtl',
      'ltr',
    ]);
    expect(getComputedStyle(root.querySelector('code') ?? root).unicodeBidi).toBe('plaintext');
  });

  it('never lets wide content widen the page', async () => {
    await page.viewport(320, 640);
    const wide = `| ${'column | '.repeat(12)}\n|${'---|'.repeat(12)}\n| ${'value | '.repeat(12)}\n\n\`${'x'.repeat(300)}\` ${'y'.repeat(300)}\n\n\`\`\`\n${'z'.repeat(300)}\n\`\`\`\n\n$$\n${'x + '.repeat(80)} y\n$$`;
    const { root } = await mount(wide);
    await vi.waitFor(() => expect(root.querySelector('.katex')).not.toBeNull(), { timeout: 15_000 });
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    expect(root.scrollWidth).toBeLessThanOrEqual(root.clientWidth);
    const table = root.querySelector('[role=group]');
    // What is at rest is laid out once it is found to be in sight.
    await vi.waitFor(() => expect(table?.scrollWidth).toBeGreaterThan(table?.clientWidth ?? 0));
    await page.viewport(1280, 720);
  });
});

describe('footnotes', () => {
  it('lead there and back, with ids of their own', async () => {
    const { root } = await mount('Claim[^a] and[^__proto__].\n\n[^a]: Proof.\n[^__proto__]: Other.');
    expect([...root.querySelectorAll('li')].map((entry) => entry.id)).toEqual(['m1-footnote-1', 'm1-footnote-2']);
    await page.getByRole('button', { name: LABELS.footnote(2) }).click();
    expect(document.activeElement?.id).toBe('m1-footnote-2');
    await page.getByRole('button', { name: LABELS.backToText }).first().click();
    expect(document.activeElement?.textContent).toBe('1');
  });

  it('are all drawn in the end, however many', async () => {
    const numbers = Array.from({ length: 250 }, (_, at) => at);
    const { root } = await mount(
      `${numbers.map((at) => `word[^${at}]`).join(' ')}\n\n${numbers.map((at) => `[^${at}]: note ${at}`).join('\n')}`,
    );
    await vi.waitFor(() => expect(root.querySelectorAll('.footnotes li')).toHaveLength(250));
  });

  it('leaves a reference without its footnote as text', async () => {
    const { root } = await mount('Use [^abc] here.');
    expect(root.querySelector('p')?.textContent).toBe('Use [^abc] here.');
  });
});

describe('pictures', () => {
  const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const pixel = (): Blob => new Blob([Uint8Array.from(atob(PIXEL), (letter) => letter.charCodeAt(0))], { type: 'image/png' });

  it('load on a click only', async () => {
    const load = vi.fn((_url: string) => Promise.resolve(pixel()));
    const { root } = await mount('![A chart](https://pictures.invalid/p.png?q=1)', false, load);
    expect(root.querySelector('img')).toBeNull();
    expect(root.textContent).toContain('A chart');
    expect(root.textContent).toContain('pictures.invalid');
    expect(load).not.toHaveBeenCalled();
    await page.getByRole('button', { name: LABELS.loadImage }).click();
    await expect.element(page.getByRole('img', { name: 'A chart' })).toBeVisible();
    expect(load).toHaveBeenCalledExactlyOnceWith('https://pictures.invalid/p.png?q=1');
    expect(root.querySelector('img')?.src).toMatch(/^blob:/);
  });

  it.each([
    ['the host refuses', (): Promise<Blob> => Promise.reject(new Error('refused'))],
    ['nothing can fetch', undefined],
  ])('offer a new tab when %s', async (_, load) => {
    const { root } = await mount('![A chart](https://pictures.invalid/p.png)', false, load);
    await page.getByRole('button', { name: LABELS.loadImage }).click();
    await expect.element(page.getByRole('link', { name: LABELS.openInNewTab })).toHaveAttribute('href', 'https://pictures.invalid/p.png');
    expect(root.textContent).toContain(LABELS.imageNotLoaded);
  });

  it('show their own bytes at once, but no SVG', async () => {
    const { root } = await mount(`![dot](data:image/png;base64,${PIXEL}) ![svg](data:image/svg+xml,%3Csvg/%3E)`);
    expect([...root.querySelectorAll('img')].map((image) => image.alt)).toEqual(['dot']);
  });
});

describe('a long answer', () => {
  it('draws every formula in the end', async () => {
    const { root } = await mount(Array.from({ length: 400 }, (_, at) => `$x_{${at}}$`).join(' and '));
    await vi.waitFor(() => expect(root.querySelectorAll('.katex')).toHaveLength(400), { timeout: 30_000 });
    expect(root.querySelector('.source')).toBeNull();
  });

  it('looks the same in groups of blocks', async () => {
    const { root } = await mount(Array.from({ length: 200 }, (_, at) => `Paragraph ${at}`).join('\n\n'));
    await settled(root);
    const paragraphs = [...root.querySelectorAll('p')];
    expect(paragraphs.map((paragraph) => paragraph.textContent)).toEqual(Array.from({ length: 200 }, (_, at) => `Paragraph ${at}`));
    const tops = paragraphs.map((paragraph) => paragraph.getBoundingClientRect());
    expect(new Set(tops.map(({ left }) => left)).size).toBe(1);
    const distances = tops.slice(1).map(({ top }, at) => Math.round(top - (tops[at]?.top ?? 0)));
    expect(new Set(distances).size).toBe(1);
  });
});

describe('while the answer arrives', () => {
  it.each(Object.entries(SAMPLES))('ends in the same elements as the finished text: %s', async (_, text) => {
    const whole = await mount(text);
    await settled(whole.root);
    const { root, show } = await mount('', true);
    for (let cut = 1; cut < text.length; cut += 3) await show(text.slice(0, cut), true);
    await show(text, false);
    await settled(root);
    // Formulas are drawn one after another, in both.
    await vi.waitFor(() => expect(outline(root)).toBe(outline(whole.root)), { timeout: 10_000 });
  });

  it('keeps the elements of finished blocks', async () => {
    const text = SAMPLES['ordinary'] ?? '';
    const { root, show } = await mount('', true);
    const seen: Element[] = [];
    for (let cut = 1; cut <= text.length; cut += 5) {
      await show(text.slice(0, cut), true);
      const now = [...root.children];
      expect(seen.every((element, at) => element === now[at])).toBe(true);
      seen.splice(0, seen.length, ...now.slice(0, -2));
    }
    await show(text, false);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.every((element, at) => element === root.children[at])).toBe(true);
  });

  it('keeps the element of growing code and only lengthens its text', async () => {
    const { root, show } = await mount('```js\nconst a', true);
    const box = root.querySelector('pre');
    await show('```js\nconst a = 1;\nconst b = 2;', true);
    expect(root.querySelector('pre')).toBe(box);
    expect(box?.textContent).toBe('const a = 1;\nconst b = 2;');
    expect(root.querySelector('.hljs-keyword')).toBeNull();
  });
});

describe('size', () => {
  const measure = async (name: string, work: () => Promise<void>): Promise<void> => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ type: 'longtask' });
    const start = performance.now();
    await work();
    await tick();
    tasks.push(...observer.takeRecords().map((entry) => entry.duration));
    observer.disconnect();
    const longest = Math.round(Math.max(0, ...tasks));
    console.log(`${name}: ${Math.round(performance.now() - start)} ms, tasks over 50 ms: ${tasks.length}, longest ${longest} ms`);
  };

  it('takes a code block of 10,000 lines, whole and growing', async () => {
    const code = Array.from({ length: 10_000 }, (_, at) => `const value${at} = compute(${at});`).join('\n');
    await measure('10,000 lines at once', async () => {
      const { root } = await mount(`\`\`\`js\n${code}\n\`\`\``);
      await settled(root);
      expect(root.querySelector('pre')?.textContent).toBe(code);
    });
    const { root, show } = await mount('', true);
    await measure('10,000 lines in 100 pieces', async () => {
      for (let part = 1; part <= 100; part++) await show(`\`\`\`js\n${code.slice(0, (code.length * part) / 100)}`, true);
      await settled(root);
    });
    expect(root.querySelector('pre')?.textContent).toBe(code);
  });

  it('takes 1 MB of prose', async () => {
    const text =
      `## Part\n\n${'Some **bold** words and `code` in a paragraph of ordinary length that goes on for a while. '.repeat(6)}\n\n- one\n- two\n\n`.repeat(
        1_800,
      );
    await measure(`${Math.round(text.length / 1000)} kB of prose`, async () => {
      const { root } = await mount(text);
      await settled(root);
      expect(root.querySelectorAll('h2')).toHaveLength(1_800);
    });
  }, 120_000);
});
