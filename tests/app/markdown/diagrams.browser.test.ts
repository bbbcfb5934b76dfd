import { afterEach, describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { page } from 'vitest/browser';
import { drawDiagram } from '../../../src/app/markdown/diagrams';
import Markdown from '../../../src/app/markdown/Markdown.svelte';
import { LABELS } from './labels';

const FLOW = 'flowchart LR\n  A[Nest] --> B{Egg?}\n  B -->|yes| C[Breed]\n  B -->|no| A';
const mount = (text: string) => render(Markdown, { text, idPrefix: 'm1', labels: LABELS });
const fenced = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\``;

afterEach(() => {
  delete document.documentElement.dataset['theme'];
});

describe('a diagram', () => {
  it('is drawn as a picture of its own size, with its words as the description', async () => {
    await mount(`Look:\n\n${fenced(FLOW)}\n\nDone.`);
    const picture = page.getByRole('img', { name: /flowchart LR/ });
    await expect.element(picture).toBeVisible();
    const image = picture.element();
    if (!(image instanceof HTMLImageElement)) throw new Error('no picture');
    await image.decode();
    expect(image.naturalWidth).toBeGreaterThan(100);
    expect(image.src).toMatch(/^blob:/);
    // Nothing that it was measured with is left.
    expect(document.querySelectorAll('[id^="diagram-"]')).toHaveLength(0);
  });

  it('shows what it was made of, and the picture again', async () => {
    await mount(fenced(FLOW));
    await expect.element(page.getByRole('img', { name: /flowchart/ })).toBeVisible();
    await page.getByRole('button', { name: 'label diagram source' }).click();
    await expect.element(page.getByText('A[Nest] --> B{Egg?}')).toBeVisible();
    await expect.element(page.getByRole('img', { name: /flowchart/ })).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'label diagram source' }).click();
    await expect.element(page.getByRole('img', { name: /flowchart/ })).toBeVisible();
  });

  it('takes the colours of the page, also when they change', async () => {
    await mount(fenced(FLOW));
    const address = (): string =>
      page
        .getByRole('img', { name: /flowchart/ })
        .element()
        .getAttribute('src') ?? '';
    await expect.element(page.getByRole('img', { name: /flowchart/ })).toBeVisible();
    const light = address();
    document.documentElement.dataset['theme'] = 'dark';
    await vi.waitFor(() => {
      expect(address()).not.toBe(light);
    });
  });

  it.each([
    ['holds a mistake', 'flowchart LR\n  A --> --> B'],
    ['is of no known kind', 'poem\n  roses are red'],
    ['is longer than anybody looks at', `flowchart LR\n${'  A --> B\n'.repeat(600)}`],
    ['has more edges than can be laid out', `flowchart LR\n${Array.from({ length: 151 }, (_, at) => `a-->b${at}`).join('\n')}`],
  ])('that %s stays as it is written', async (_what, source) => {
    expect(await drawDiagram(source, false)).toBeNull();
    expect(document.querySelectorAll('[id^="diagram-"], [id^="ddiagram-"]')).toHaveLength(0);
  });

  it.each([
    ['a script in a label', 'flowchart LR\n  A["<script>window.wasHit = 1</script>x"] --> B'],
    ['a handler in a label', 'flowchart LR\n  A["<img src=x onerror=\'window.wasHit = 1\'>"] --> B'],
    ['a link that runs', 'flowchart LR\n  A --> B\n  click A "javascript:window.wasHit = 1"'],
    ['a call', 'flowchart LR\n  A --> B\n  click A call alert(1)'],
    [
      'settings of its own',
      '%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  A["<b onclick=\'window.wasHit = 1\'>x</b>"] --> B',
    ],
    [
      'a style sheet',
      '%%{init: {"themeCSS": "body { display: none } @import url(https://evil.invalid/a.css);"}}%%\nflowchart LR\n  A --> B',
    ],
    ['a picture from elsewhere', 'flowchart LR\n  A@{ img: "https://evil.invalid/a.png", label: "x", w: 60, h: 60 } --> B'],
    ['a picture in a style', 'flowchart LR\n  A --> B\n  style A background-image:url(https://evil.invalid/a.png)'],
  ])('with %s does nothing and asks nobody', async (_what, source) => {
    const asked: string[] = [];
    const observer = new PerformanceObserver((list) => asked.push(...list.getEntries().map(({ name }) => name)));
    observer.observe({ entryTypes: ['resource'] });
    const diagram = await drawDiagram(source, false);
    const markup = (await diagram?.svg.text()) ?? '';
    await new Promise((resolve) => setTimeout(resolve, 50));
    observer.disconnect();
    expect('wasHit' in window).toBe(false);
    expect(asked.filter((address) => address.includes('evil.invalid'))).toEqual([]);
    expect(markup).not.toMatch(/<script|\son\w+=|javascript:|<foreignObject/i);
    expect(getComputedStyle(document.body).display).not.toBe('none');
  });
});
