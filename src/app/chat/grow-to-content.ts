import type { Attachment } from 'svelte/attachments';

/**
 * Lets a field grow with its text where the browser's `field-sizing` can't. `text` is read only to run again when it changes; the largest
 * height is the style sheet's.
 */
export function growToContent(text: () => string): Attachment<HTMLTextAreaElement> {
  return (field) => {
    if (CSS.supports('field-sizing', 'content')) return;
    void text();
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  };
}
