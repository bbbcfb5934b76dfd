/** The rows of a thread that are in the page. By its children: a search would go through every word of every message. */
export function drawnRows(column: HTMLElement): readonly HTMLElement[] {
  return [...column.children].filter((child): child is HTMLElement => child instanceof HTMLElement && 'row' in child.dataset);
}
