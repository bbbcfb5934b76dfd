import type { BlockNode, FootnoteDefinition, InlineNode } from './nodes';

/** A footnote in the order in which the text refers to it. */
export interface Footnote extends FootnoteDefinition {
  readonly number: number;
}

/** The keys of all footnotes that `nodes` refer to, in reading order, each as often as it occurs. */
export function findReferences(nodes: readonly BlockNode[]): readonly string[] {
  return nodes.flatMap((node) => {
    switch (node.type) {
      case 'paragraph':
      case 'heading':
        return inlineReferences(node.children);
      case 'list':
        return node.items.flatMap((item) => findReferences(item.children));
      case 'quote':
        return findReferences(node.children);
      case 'table':
        return [...node.header, ...node.rows.flat()].flatMap(inlineReferences);
      case 'code':
      case 'formula-block':
      case 'rule':
        return [];
    }
  });
}

function inlineReferences(nodes: readonly InlineNode[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (node.type === 'footnote-reference') return [node.key];
    return 'children' in node ? inlineReferences(node.children) : [];
  });
}

/**
 * The footnotes that are referred to and defined, numbered by first reference; those that only footnotes refer to come last. The first
 * definition of a key counts, so that a later one never changes what was read.
 */
export function numberFootnotes(references: readonly string[], definitions: readonly FootnoteDefinition[]): readonly Footnote[] {
  const byKey = new Map<string, FootnoteDefinition>();
  for (const definition of definitions) if (!byKey.has(definition.key)) byKey.set(definition.key, definition);
  const footnotes = new Map<string, Footnote>();
  const waiting = [...references];
  for (let at = 0; at < waiting.length; at++) {
    const definition = byKey.get(waiting[at] ?? '');
    if (definition === undefined || footnotes.has(definition.key)) continue;
    footnotes.set(definition.key, { ...definition, number: footnotes.size + 1 });
    waiting.push(...findReferences(definition.children));
  }
  return [...footnotes.values()];
}
