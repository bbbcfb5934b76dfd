/** Every word the rendered answer adds to the model's own. The caller passes them in the language of the interface. */
export interface MarkdownLabels {
  /** Name of a code block without a language, for screen readers. */
  readonly code: string;
  readonly copyCode: string;
  /** Shown for a moment after copying. */
  readonly copied: string;
  /** Shown when the browser refused the clipboard; the code is selected then. */
  readonly copyRefused: string;
  readonly wrapLines: string;
  /** Says that code holds characters that change the order in which it is shown. */
  readonly hiddenDirection: string;
  /** Name of a drawn diagram, for screen readers. */
  readonly diagram: string;
  /** A switch: shows a diagram as it is written. */
  readonly diagramSource: string;
  /** Name of a table's scroll area, for screen readers. */
  readonly table: string;
  readonly loadImage: string;
  readonly loadingImage: string;
  readonly imageNotLoaded: string;
  readonly openInNewTab: string;
  /** Stands in for a missing description of a picture. */
  readonly imageWithoutDescription: string;
  readonly footnotes: string;
  /** Name of a reference to footnote `number`. */
  readonly footnote: (number: number) => string;
  readonly backToText: string;
  readonly taskDone: string;
  readonly taskOpen: string;
}
