const LONE_MARKER = /^[ \t>]*(?:[-=*+_>#`~]+|\d{1,9}[.)])[ \t]*$/;
const FENCE_LINE = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})(.*)$/;
const CODE_SPAN = /(?<!`)(`+)(?!`)[^]*?[^`]\1(?!`)/g;
const HALF_LINK = /(!?)\[([^[\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\([^()\s]*)?(?:[ \t]+"[^"\n]*"?)?$/;
const HALF_IMAGE = /!(?:\[[^[\]\n]*\]?)?$/;

function openFence(lines: readonly string[]): string | null {
  let open: string | null = null;
  for (const line of lines) {
    const [, mark = '', rest = ''] = FENCE_LINE.exec(line) ?? [];
    if (mark === '') continue;
    if (open === null) open = mark.startsWith('`') && rest.includes('`') ? null : mark;
    else if (mark.startsWith(open) && rest.trim() === '') open = null;
  }
  return open;
}

const cells = (row: string): number => row.trim().replace(/^\|/, '').replace(/\|$/, '').split('|').length;

/** Rows are held back until the line under the header says that they are a table. */
function withoutHalfTable(lines: readonly string[]): readonly string[] {
  const isRow = (at: number): boolean => lines.at(at)?.trimStart().startsWith('|') === true;
  if (isRow(-1) && !isRow(-2)) return lines.slice(0, -1);
  const last = lines.at(-1) ?? '';
  const isHalfDelimiter = isRow(-2) && !isRow(-3) && /^[\s:|-]*$/.test(last) && cells(last) !== cells(lines.at(-2) ?? '');
  return isHalfDelimiter ? lines.slice(0, -2) : lines;
}

function closeMark(text: string, mark: '**' | '~~'): string {
  const body = text.replace(mark === '**' ? /\*+$/ : /~+$/, '');
  const trailing = text.slice(body.length);
  const count = body.replaceAll(CODE_SPAN, '').split(mark).length - 1;
  if (count % 2 === 1) {
    const opening = body.lastIndexOf(mark);
    return body.slice(opening + 2).trim() === '' ? body.slice(0, opening) : `${body.trimEnd()}${mark}`;
  }
  return trailing !== '' && /(?:^|\s)$/.test(body) ? body : text;
}

function closeInline(text: string): string {
  const [, run = '', inside = ''] = /(?<!`)(`+)([^`][^]*)?$/.exec(text.replaceAll(CODE_SPAN, (span) => ' '.repeat(span.length))) ?? [];
  if (run !== '')
    return inside.trim() === '' ? text.slice(0, text.length - run.length - inside.length) : `${text}${inside.endsWith('\n') ? '' : run}`;
  const linked = text.replace(HALF_LINK, (_, picture: string, words: string) => (picture === '' ? words : '')).replace(HALF_IMAGE, '');
  return closeMark(closeMark(linked, '~~'), '**');
}

/**
 * How a block that is still arriving is drawn: without marks that only mean something once more has come (a lone `-` would make the line
 * above a heading), and with emphasis, code and links closed that are open, so that text is not drawn twice in different ways. Only for
 * drawing; the finished block is always parsed from what really came.
 */
export function completeForDisplay(source: string): string {
  const lines = source.split('\n');
  const fence = openFence(lines);
  const last = lines.at(-1) ?? '';
  if (fence !== null) return lines.length > 1 && /^\s*(?:`+|~+)$/.test(last) ? lines.slice(0, -1).join('\n') : source;
  // The line that closes a fence means something already.
  if (openFence(lines.slice(0, -1)) !== null) return source;
  const kept = withoutHalfTable(LONE_MARKER.test(last) ? lines.slice(0, -1) : lines);
  const paragraph = kept.findLastIndex((line) => line.trim() === '') + 1;
  return [...kept.slice(0, paragraph), ...(paragraph < kept.length ? [closeInline(kept.slice(paragraph).join('\n'))] : [])].join('\n');
}
