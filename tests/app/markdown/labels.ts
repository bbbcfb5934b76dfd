import type { MarkdownLabels } from '../../../src/app/markdown/labels';

/** Words for tests; each is found nowhere else. */
export const LABELS: MarkdownLabels = {
  code: 'label code',
  copyCode: 'label copy',
  copied: 'label copied',
  copyRefused: 'label copy refused',
  wrapLines: 'label wrap',
  hiddenDirection: 'label hidden direction',
  diagram: 'label diagram',
  diagramSource: 'label diagram source',
  table: 'label table',
  loadImage: 'label load image',
  loadingImage: 'label loading image',
  imageNotLoaded: 'label image not loaded',
  openInNewTab: 'label open in new tab',
  imageWithoutDescription: 'label no description',
  footnotes: 'label footnotes',
  footnote: (number) => `label footnote ${number}`,
  backToText: 'label back to text',
  taskDone: 'label done',
  taskOpen: 'label open',
};
