import type { MarkdownLabels } from '../../markdown/labels';
import { formatNumber } from '../format';

const TAG = 'en';

/** What the rendering of an answer adds to the model's own words. */
export const markdown: MarkdownLabels = {
  code: 'Code',
  copyCode: 'Copy code',
  copied: 'Copied',
  copyRefused: 'The browser didn’t allow copying. The code is selected.',
  wrapLines: 'Wrap lines',
  hiddenDirection: 'This code holds hidden characters that change the order in which it is shown.',
  diagram: 'Diagram',
  diagramSource: 'Show as it is written',
  table: 'Table',
  loadImage: 'Load image',
  loadingImage: 'Loading…',
  imageNotLoaded: 'The image can’t be shown here.',
  openInNewTab: 'Open in a new tab',
  imageWithoutDescription: 'Image without a description',
  footnotes: 'Footnotes',
  footnote: (number) => `Footnote ${formatNumber(TAG, number)}`,
  backToText: 'Back to the text',
  taskDone: 'Done',
  taskOpen: 'Not done',
};
