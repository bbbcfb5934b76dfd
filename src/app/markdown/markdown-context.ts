import { createContext } from 'svelte';
import type { Footnote } from './footnotes';
import type { MarkdownLabels } from './labels';

/** What the parts of one rendered text share. Getters, so that parts redraw when one of them changes. */
export interface MarkdownContext {
  readonly labels: MarkdownLabels;
  /** Begins the ids of this text, so that two messages never share one. */
  readonly idPrefix: string;
  /** Footnotes by key. */
  readonly footnotes: ReadonlyMap<string, Footnote>;
  /** Fetches a picture after the user's click; undefined where nothing can. */
  readonly loadImage: ((url: string) => Promise<Blob>) | undefined;
}

export const [getMarkdown, setMarkdown] = createContext<MarkdownContext>();
