/** Characters that runs are made of. */
const RUN = /[\d.,()+\-*/^%! x]+/g;
/** “20% of 150”, 200的15%: the other shape that is found inside a text. */
const PERCENT = /\d[\d,.]* ?(?:%|percent) of [$€£¥]?\d[\d,.]*|\d[\d,.]*的\d[\d.]*%/g;
/** What may stand beside a run: anything else makes it part of a name, an address, a version, code. */
const BEFORE = /[\s([,;:?!"'。、《“$€£¥]|\p{Script=Han}/u;
const BEHIND = /[\s)\],;:?!."'。、》”=]|\p{Script=Han}/u;

/** No run is longer; one that is, is data. */
const MAX_RUN_CHARACTERS = 200;
/** So many runs are looked at. */
const MAX_RUNS = 40;

/**
 * Pieces of a text that could be worked out, in their order: with two numbers and an operator at least, bounded by other words. `lines` are in plain
 * characters and lower case. Whether a piece is an expression is for the parser to say. One pass.
 */
export function findRuns(lines: readonly string[]): readonly string[] {
  const runs: string[] = [];
  for (const line of lines) {
    if (runs.length >= MAX_RUNS) break;
    const found = [...runsIn(line, PERCENT), ...runsIn(line, RUN).filter(({ text }) => isCandidate(text))];
    runs.push(...found.sort((a, b) => a.start - b.start).map(({ text }) => text));
  }
  return runs.slice(0, MAX_RUNS);
}

interface Run {
  readonly text: string;
  readonly start: number;
}

function runsIn(line: string, pattern: RegExp): readonly Run[] {
  return [...line.matchAll(pattern)].flatMap((match) => {
    const run = trimmed(match[0], match.index);
    const end = run.start + run.text.length;
    const isBounded =
      (run.start === 0 || BEFORE.test(line.charAt(run.start - 1))) && (end === line.length || BEHIND.test(line.charAt(end)));
    return isBounded && run.text !== '' && run.text.length <= MAX_RUN_CHARACTERS ? [run] : [];
  });
}

/**
 * Without what belongs to the sentence: spaces, commas, stops and operators at the ends, parentheses around. An exclamation mark at the end is one,
 * not a factorial.
 */
function trimmed(text: string, offset: number): Run {
  let start = 0;
  let end = text.length;
  let open = 0;
  for (const character of text) open += character === '(' ? 1 : character === ')' ? -1 : 0;
  for (;;) {
    const first = text.charAt(start);
    const last = text.charAt(end - 1);
    if (start >= end) break;
    if (' ,x*/^%)!'.includes(first) || (first === '.' && !/\d/.test(text.charAt(start + 1)))) open += first === ')' ? 1 : 0;
    else if (first === '(' && open > 0) open -= 1;
    else if (' ,.!x+-*/^('.includes(last) || (last === ')' && open < 0)) {
      open += last === '(' ? -1 : last === ')' ? 1 : 0;
      end -= 1;
      continue;
    } else break;
    start += 1;
  }
  return { text: text.slice(start, end), start: offset + start };
}

/** Two numbers and an operator: `+ * / ^`, or a minus or an x between spaces. No date, no share, no size, no algebra (3x). */
function isCandidate(text: string): boolean {
  const numbers = text.split(/[^\d.,]+/).filter((piece) => /\d/.test(piece));
  if (numbers.length < 2 || !/[+*/^]| [-x] /.test(text)) return false;
  const isDated = /\d\/\d+\/\d/.test(text);
  const isShare = /^-?\d{1,2}\/\d{1,2}$/.test(text);
  const isSize = /^\d[\d.]*(?:x\d[\d.]*)+$/.test(text);
  return !isDated && !isShare && !isSize && !/[\d)]x(?!\d)|(?<!\d)x[\d(]/.test(text);
}
