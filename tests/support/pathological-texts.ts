/** An answer that could bring a page to its knees. */
export interface PathologicalText {
  readonly name: string;
  readonly text: string;
  /** How often which elements must be there in the end, by selector; at least as often. */
  readonly draws: Readonly<Record<string, number>>;
  /** What every delta of the stream holds, in UTF-16 units; `unit` cuts characters in halves too. */
  readonly delta?: 'unit';
}

/** The last words of every text: what is on screen with them has arrived in full. */
export const LAST_WORDS = 'END-OF-ANSWER';

const KILO = 1_000;
const WORDS = 'the quick bird carries some shiny buttons over a long stone wall and comes back for more of them ';

const repeat = (count: number, make: (at: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(between);
const ofLength = (characters: number, piece: string): string => piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters);
const withEnd = (text: string): string => `${text}\n\n${LAST_WORDS}`;

const table = (columns: number, rows: number, word: string): string =>
  [
    `|${repeat(columns, (at) => ` ${word} ${at} |`)}`,
    `|${repeat(columns, () => ' --- |')}`,
    ...Array.from({ length: rows }, (_, row) => `|${repeat(columns, (at) => ` ${row}.${at} |`)}`),
  ].join('\n');

function mixed(characters: number): string {
  const section = (at: number): string =>
    [
      `## Part ${at}`,
      `${WORDS.repeat(4)}with **bold**, *italic*, \`code\` and [a link](https://example.org/${at}).`,
      `1. first\n2. second\n   - nested ${at}\n   - [x] done`,
      `> ${WORDS}`,
      table(3, 3, 'name'),
      `\`\`\`ts\nconst part = ${at};\nfunction double(input: number): number {\n  return input * 2;\n}\n\`\`\``,
      `It costs $${at} and the area is $\\pi r_{${at}}^2$.`,
    ].join('\n\n');
  let text = '';
  for (let at = 0; text.length < characters; at++) text += `${section(at)}\n\n`;
  return text;
}

const code = (lines: number): string => repeat(lines, (at) => `const value${at} = compute(${at}, "text"); // line ${at}\n`);
const codeOfSize = (characters: number): string => code(Math.ceil(characters / 50));
const indented = (text: string, prefix: string): string => text.trimEnd().replaceAll(/^/gm, prefix);

const quotes = (depth: number): string => repeat(depth, (at) => `${'> '.repeat(at + 1)}level ${at + 1}`, '\n');
const lists = (depth: number): string => repeat(depth, (at) => `${'  '.repeat(at)}- level ${at + 1}`, '\n');

const CONTROLS = '\u200B\u200C\u200D\u2060\uFEFF\u202A\u202B\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061C';
const RIGHT_TO_LEFT = 'في عام 2024 بلغ السعر 1,250.50 ريال (أي 333.47$) و 15% زيادة ל-12 חודשים ב-3/4/2025, ABC-123 ثم 07:30. ';
const FAMILIES = ['👨‍👩‍👧‍👦', '🏳️‍🌈', '👩🏽‍💻', '🇩🇪', '1️⃣', '🧑🏿‍🤝‍🧑🏻', '❤️‍🔥'];

/** Texts that models have written, or could, and that cost a naive renderer seconds, or its end. */
export const PATHOLOGICAL_TEXTS: readonly PathologicalText[] = [
  { name: 'one line of 1 MB', text: `${ofLength(1000 * KILO, WORDS)} ${LAST_WORDS}`, draws: {} },
  { name: 'one line of 1 MB without a blank', text: withEnd(ofLength(1000 * KILO, '这是一段没有空格的文字，它很长。')), draws: {} },
  {
    name: 'one line of 1 MB in a fence',
    text: withEnd(`\`\`\`js\n${ofLength(1000 * KILO, 'var a=[1,2,3];function f(x){return x*2}')}\n\`\`\``),
    draws: { pre: 1 },
  },
  {
    name: '5,000 list items',
    text: withEnd(repeat(5000, (at) => `- item ${at} with **bold** words`, '\n')),
    draws: { li: 5000, strong: 5000 },
  },
  {
    name: '5,000 numbered items apart',
    text: withEnd(repeat(5000, (at) => `${at + 1}. item ${at} with \`code\``, '\n\n')),
    draws: { li: 5000 },
  },
  { name: '200 tables', text: withEnd(repeat(200, () => table(5, 5, 'head'), '\n\n')), draws: { table: 200 } },
  { name: '2,000 formulas in one paragraph', text: withEnd(repeat(2000, (at) => `$x_{${at}}^2$`, ' and ')), draws: { '.katex': 2000 } },
  {
    name: '2,000 formulas in a list',
    text: withEnd(repeat(2000, (at) => `- $\\frac{x_{${at}}}{2}$ is a half`, '\n')),
    draws: { '.katex': 2000, li: 2000 },
  },
  { name: 'unclosed fence of 200 kB', text: `\`\`\`ts\n${codeOfSize(200 * KILO)}${LAST_WORDS}`, draws: { pre: 1 } },
  { name: 'unclosed tilde fence of 200 kB', text: `~~~~\n${codeOfSize(200 * KILO)}~~~\n${LAST_WORDS}`, draws: { pre: 1 } },
  {
    name: 'unclosed fence of 200 kB in a list',
    text: `- \`\`\`ts\n${indented(`${codeOfSize(200 * KILO)}${LAST_WORDS}`, '  ')}`,
    draws: { pre: 1 },
  },
  {
    name: 'unclosed fence of 200 kB in a quote',
    text: `> \`\`\`ts\n${indented(`${codeOfSize(200 * KILO)}${LAST_WORDS}`, '> ')}`,
    draws: { pre: 1 },
  },
  { name: 'unclosed formula of 200 kB', text: `$$\n${ofLength(200 * KILO, 'x^2 + y_1 \\frac{a}{b}\n')}\n${LAST_WORDS}`, draws: {} },
  { name: 'quotes 500 deep', text: withEnd(quotes(500)), draws: { pre: 1 } },
  { name: 'lists 500 deep', text: withEnd(lists(500)), draws: { pre: 1 } },
  { name: 'quotes 150 deep', text: withEnd(quotes(150)), draws: { blockquote: 8 } },
  { name: 'lists 150 deep', text: withEnd(lists(150)), draws: { ul: 8 } },
  { name: 'quotes 500 deep in one line', text: withEnd(`${'> '.repeat(500)}deep`), draws: { blockquote: 5 } },
  { name: 'lists 500 deep in one line', text: withEnd(`${'- '.repeat(500)}deep`), draws: { ul: 5 } },
  {
    name: 'a line of 90 kB in a fence',
    text: withEnd(`\`\`\`js\n${ofLength(90 * KILO, 'var a=[1,"x",3];function f(x){return x*2}')}\n\`\`\``),
    draws: { pre: 1 },
  },
  { name: '10,000 lines of code', text: withEnd(`\`\`\`ts\n${code(10_000)}\`\`\``), draws: { pre: 1 } },
  { name: 'right-to-left text with numbers', text: withEnd(repeat(200, () => RIGHT_TO_LEFT.repeat(5), '\n\n')), draws: { p: 200 } },
  {
    name: 'zero-width and direction characters',
    text: withEnd(repeat(200, (at) => `word${CONTROLS}${at}${CONTROLS}`.repeat(12), '\n\n')),
    draws: { p: 200 },
  },
  { name: 'a word of 100,000 zero-width characters', text: `${withEnd(`a${'\u200D\u202E'.repeat(50 * KILO)}b`)}`, draws: {} },
  { name: '1 MB of mixed answer', text: withEnd(mixed(1000 * KILO)), draws: { h2: 800, table: 800, pre: 800, '.katex': 800 } },
  { name: 'a word of 100,000 characters', text: withEnd('a'.repeat(100 * KILO)), draws: {} },
  ...['[', '*', '`', '_', '~', '![', '](', '<', '$', '\\(', '^[', '|', '&', '@', ':', '"', '-', '#', '>', '+ ', '1. '].map((mark) => ({
    name: `10,000 ${mark} in a row`,
    text: withEnd(`begin ${mark.repeat(10_000)}\n\n${mark.repeat(10_000)}`),
    draws: {},
  })),
  { name: 'emphasis 5,000 deep', text: withEnd(`${'*a '.repeat(5000)}${' b*'.repeat(5000)}`), draws: { em: 1 } },
  { name: 'links 5,000 deep', text: withEnd(`${'['.repeat(5000)}a${'](b)'.repeat(5000)}`), draws: {} },
  { name: 'pictures 2,000 deep', text: withEnd(`${'!['.repeat(2000)}a${'](b)'.repeat(2000)}`), draws: {} },
  { name: 'marks without their other half', text: withEnd(repeat(3000, (at) => `**a${at} \`\` ~~b _c [d](`, ' ')), draws: {} },
  { name: '20,000 addresses', text: withEnd(repeat(20_000, (at) => `https://example.org/${at}`, ' ')), draws: { a: 1 } },
  {
    name: '5,000 footnotes',
    text: `${repeat(5000, (at) => `word[^${at}]`, ' ')}\n\n${repeat(5000, (at) => `[^${at}]: note ${at}`, '\n')} ${LAST_WORDS}`,
    draws: { '.footnotes li': 5000 },
  },
  {
    name: '2,000 links defined at the end',
    text: withEnd(
      `${repeat(2000, (at) => `See [page ${at}].`, '\n\n')}\n\n${repeat(2000, (at) => `[page ${at}]: https://example.org/${at}`, '\n')}`,
    ),
    draws: { a: 2000 },
  },
  { name: 'a table of 500 columns', text: withEnd(table(500, 12, 'c')), draws: { th: 500, td: 6000 } },
  { name: 'a table of 3,000 rows', text: withEnd(table(4, 3000, 'head')), draws: { td: 12_000 } },
  {
    name: 'emoji cut at every border',
    text: withEnd(repeat(400, (at) => FAMILIES[at % FAMILIES.length] ?? '', ' ')),
    draws: {},
    delta: 'unit',
  },
];
