import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Markdown from '../../../src/app/markdown/Markdown.svelte';
import type { HostileText } from '../../support/hostile-texts';
import { LABELS } from './labels';

const encoded = inject('hostileTexts');
const texts: readonly HostileText[] | null = encoded === null ? null : JSON.parse(decodeURIComponent(encoded));
if (texts === null) console.log('Skipped: the hostile texts are not at hand.');

const ID_PREFIX = 'hostile';
const PIECES = 12;
const FORBIDDEN =
  'script, iframe, frame, object, embed, applet, form, input, textarea, select, base, meta, link, style, video, audio, source, template, dialog, portal, h1';
const OWN_SCHEMES = ['http:', 'https:', 'mailto:'];

const accidents: string[] = [];
const note = (what: string) => (): never => {
  accidents.push(what);
  throw new Error(what);
};

/** What is wrong with the rendered elements. */
function findFaults(root: Element): readonly string[] {
  const faults = [...root.querySelectorAll(FORBIDDEN)].map((element) => `element ${element.localName}`);
  for (const element of root.querySelectorAll('*')) {
    // The page's own buttons, with a picture of the page's own.
    if (element.matches('.icon-button > svg, .icon-button > svg > use[href^="#glyph-"]')) continue;
    const isFormula = element.closest('.katex') !== null;
    for (const { name, value } of element.attributes) {
      if (/^on|^srcdoc$|^srcset$|^action$|^formaction$|^poster$|^background$|^name$/.test(name)) faults.push(`attribute ${name}`);
      if (name === 'style' && (!isFormula || /url|position:\s*fixed/i.test(value))) faults.push(`style ${value}`);
      if (name === 'id' && !value.startsWith(ID_PREFIX)) faults.push(`id ${value}`);
      if (name === 'src' && !/^data:image\/(png|jpeg|gif|webp)/.test(value)) faults.push(`src ${value}`);
      if ((name === 'href' || name === 'xlink:href') && (isFormula || !OWN_SCHEMES.includes(new URL(value, 'none:').protocol)))
        faults.push(`href ${value}`);
    }
    if (element.localName === 'a' && element.getAttribute('rel') !== 'noopener noreferrer nofollow') faults.push('rel');
    if (element.localName === 'svg' && !isFormula && !element.classList.contains('lucide')) faults.push('svg');
  }
  return faults;
}

const isOwnName = (name: string): boolean => !/^(__vi|__coverage|__svelte|\d+$)/.test(name);
const globals = (): readonly string[] => Object.getOwnPropertyNames(window).filter(isOwnName).sort();
const outside = (): readonly string[] =>
  [...document.body.children, ...document.head.children]
    .map((element) => element.localName)
    .filter((name) => name !== 'style' && name !== 'link');

/** A long text is taken in steps. */
async function settled(root: Element): Promise<void> {
  if (root.getAttribute('aria-busy') === 'true')
    await vi.waitFor(() => expect(root.getAttribute('aria-busy')).toBe('false'), { timeout: 30_000 });
}

/** What can be read, but for formulas: many of them are drawn one after another. */
function wordsOf(root: Element): string {
  const copy = root.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const source of copy.querySelectorAll('.source')) source.remove();
  for (const formula of copy.querySelectorAll('.formula')) formula.replaceWith('[formula]');
  return copy.textContent;
}

describe.skipIf(texts === null)('hostile texts', () => {
  const watch = new AbortController();
  const requests = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.name.startsWith(location.origin)) accidents.push(`request ${entry.name}`);
      else if (
        entry instanceof PerformanceResourceTiming &&
        /^(img|image|iframe|video|audio|embed|object|beacon|input)$/.test(entry.initiatorType)
      ) {
        accidents.push(`request ${entry.initiatorType} ${entry.name}`);
      }
    }
  });

  beforeAll(() => {
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'] as const) vi.spyOn(window, name).mockImplementation(note(name));
    vi.spyOn(navigator, 'sendBeacon').mockImplementation(note('sendBeacon'));
    window.addEventListener('error', (event) => accidents.push(`error ${event.message}`), { signal: watch.signal, capture: true });
    window.addEventListener('unhandledrejection', (event) => accidents.push(`rejection ${String(event.reason)}`), { signal: watch.signal });
    requests.observe({ type: 'resource' });
  });
  afterAll(() => {
    watch.abort();
    requests.disconnect();
    vi.restoreAllMocks();
  });

  it('are shown as text: at once, in pieces, after one another', { timeout: 300_000 }, async () => {
    const props = { text: '$x$\n\n```js\n1\n```', streaming: false, idPrefix: ID_PREFIX, labels: LABELS };
    const { container, rerender } = await render(Markdown, props);
    const root = container.querySelector('.markdown');
    if (root === null) throw new Error('Nothing was rendered.');
    // Everything that is fetched late is there before the first look at what changed.
    await vi.waitFor(() => expect([root.querySelector('.katex'), root.querySelector('.hljs-number')]).not.toContain(null), {
      timeout: 60_000,
    });
    const before = {
      globals: globals(),
      outside: outside(),
      address: location.href,
      title: document.title,
      prototype: Object.keys(Object.prototype),
    };

    let slowestMs = 0;
    let slowest = '';
    for (const { name, text } of texts ?? []) {
      const start = performance.now();
      await rerender({ ...props, text });
      await settled(root);
      const took = performance.now() - start;
      if (took > slowestMs) [slowestMs, slowest] = [took, name];
      const atOnce = wordsOf(root);
      expect(findFaults(root), name).toEqual([]);
      await rerender({ ...props, text: '', streaming: true });
      for (let piece = 1; piece < PIECES; piece++) {
        await rerender({ ...props, text: text.slice(0, Math.ceil((text.length * piece) / PIECES)), streaming: true });
        expect(findFaults(root), `${name}, piece ${piece}`).toEqual([]);
      }
      await rerender({ ...props, text });
      await settled(root);
      expect(findFaults(root), name).toEqual([]);
      expect(wordsOf(root) === atOnce, `${name}: same text`).toBe(true);
      expect(accidents, name).toEqual([]);
    }
    console.log(`${texts?.length ?? 0} texts; slowest at once ${Math.round(slowestMs)} ms (${slowest})`);

    // Whatever a text set going would have begun by now.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(accidents).toEqual([]);
    expect({
      globals: globals(),
      outside: outside(),
      address: location.href,
      title: document.title,
      prototype: Object.keys(Object.prototype),
    }).toEqual(before);
    expect(getComputedStyle(root).overflow).toBe('clip');
  });
});
