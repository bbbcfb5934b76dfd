import type { CodeNode } from './nodes';
import { unescapeText } from './parser';

// At the left edge only: a fence in a list or quote loses the container's characters line by line, which is the parser's work.
const OPENING = /^(`{3,}|~{3,})([^\n`]*)\n/;

/** What a fence line says about the language of its code. */
export function readLanguage(info: string): string {
  return /^[^\s{,]*/.exec(unescapeText(info.trim()))?.[0] ?? '';
}

/**
 * The code of `after`, which begins with `before`, when both are one fence without its closing line; null when they are not, or when the end
 * may have come. Only the characters that were added are searched. The begin of a closing line is left out.
 */
export function appendToFence(before: string, after: string): CodeNode | null {
  const [opening = '', mark = '', info = ''] = OPENING.exec(before) ?? [];
  if (opening === '' || !after.startsWith(before)) return null;
  const lineStart = before.lastIndexOf('\n') + 1;
  const closing = new RegExp(`^ {0,3}${mark}${mark.charAt(0)}*[ \\t]*$`, 'm');
  // The closing line would be known already if it stood in `before`, so its last line is the first to look at.
  if (closing.test(after.slice(lineStart))) return null;
  const lastLine = after.slice(after.lastIndexOf('\n') + 1);
  const isHalfClosing = lastLine !== '' && mark.startsWith(lastLine.trim());
  const end = isHalfClosing ? after.length - lastLine.length : after.length;
  const text = after.slice(opening.length, Math.max(opening.length, end));
  return { type: 'code', language: readLanguage(info), text: text.endsWith('\n') ? text.slice(0, -1) : text, open: true };
}
