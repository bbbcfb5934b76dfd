import type { MediaPart, Part } from '../../core/node';

/** Every picture that stands in parts, attached or made by a tool, in their order. */
export function picturesIn(parts: readonly Part[]): readonly MediaPart[] {
  return parts.flatMap((part) => {
    const files = part.type === 'media' ? [part] : part.type === 'tool' ? (part.result?.media ?? []) : [];
    return files.filter(({ kind }) => kind === 'image');
  });
}
