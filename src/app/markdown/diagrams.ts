import type { Mermaid } from 'mermaid';

/** A diagram as an image document: it runs no script, loads nothing, opens no link, and no style of it reaches the page. */
export interface Diagram {
  readonly svg: Blob;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/** Longer sources, in characters, and ones with more edges stay as they are written: laying them out would hold the page. */
const LONGEST_SOURCE = 5_000;
const MOST_EDGES = 150;
/** While texts are measured it would be fetched: pictures, also those of styles. */
const ASKS_ELSEWHERE = /\bimg\s*:|url\s*\(|@import/i;
/** What a source may not set for itself. */
const OURS = [
  ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'],
  ...['htmlLabels', 'flowchart', 'themeCSS', 'dompurifyConfig', 'fontFamily'],
];
/** In CSS pixels; what is larger is no picture to look at. */
const LARGEST_SIDE = 20_000;

/** So many drawn ones are kept: a reader who scrolls back sees them at once, and nothing jumps. */
const KEPT = 40;

let library: Promise<Mermaid> | undefined;
let drawn = 0;
const known = new Map<string, Diagram>();

/** Fetches the library once; a failed attempt is made again for the next diagram. */
function load(): Promise<Mermaid> {
  library ??= import('mermaid').then(
    (module) => module.default,
    (error: unknown) => {
      library = undefined;
      throw error;
    },
  );
  return library;
}

/**
 * Draws a diagram in the language of Mermaid. Null: it can't be drawn (a mistake in it, too much of it, a picture from elsewhere, or no library), and
 * is shown as it is written.
 */
export async function drawDiagram(source: string, isDark: boolean): Promise<Diagram | null> {
  if (source.length > LONGEST_SOURCE || ASKS_ELSEWHERE.test(source)) return null;
  const name = `${isDark ? 'dark' : 'light'} ${source}`;
  const diagram = known.get(name) ?? (await draw(source, isDark));
  if (diagram === null) return null;
  known.delete(name);
  known.set(name, diagram);
  for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
  return diagram;
}

async function draw(source: string, isDark: boolean): Promise<Diagram | null> {
  const stage = document.createElement('div');
  // Texts are measured in the page, out of sight.
  Object.assign(stage.style, {
    position: 'fixed',
    insetBlockStart: '0',
    visibility: 'hidden',
    pointerEvents: 'none',
    contain: 'layout style',
  });
  stage.ariaHidden = 'true';
  try {
    const mermaid = await load();
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      secure: OURS,
      suppressErrorRendering: true,
      theme: isDark ? 'dark' : 'default',
      fontFamily: 'system-ui, sans-serif',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      maxTextSize: LONGEST_SOURCE,
      maxEdges: MOST_EDGES,
    });
    document.body.append(stage);
    const { svg } = await mermaid.render(`diagram-${(drawn += 1)}`, source, stage);
    return toDiagram(svg);
  } catch {
    return null;
  } finally {
    stage.remove();
  }
}

/** Gives the picture the size that it was drawn for; the library leaves that to the place where it stands. */
function toDiagram(markup: string): Diagram | null {
  const root = new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement;
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (root.nodeName !== 'svg' || !(width > 0 && height > 0 && width <= LARGEST_SIDE && height <= LARGEST_SIDE)) return null;
  root.setAttribute('width', `${width}`);
  root.setAttribute('height', `${height}`);
  root.removeAttribute('style');
  const svg = new Blob([new XMLSerializer().serializeToString(root)], { type: 'image/svg+xml' });
  return { svg, width, height };
}
