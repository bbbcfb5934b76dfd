import { render } from 'vitest-browser-svelte';
import Markdown from '../../../src/app/markdown/Markdown.svelte';
import { LABELS } from './labels';

/** A copy of what is drawn for a whole text; hundreds of texts at once would slow the page down. */
export async function draw(text: string): Promise<Element> {
  const { container, unmount } = await render(Markdown, { text, idPrefix: 'drawn', labels: LABELS });
  const root = container.querySelector('.markdown')?.cloneNode(true);
  await unmount();
  if (!(root instanceof Element)) throw new Error('Nothing was rendered.');
  return root;
}
