/** A text and the HTML that it means. */
export type DialectExample = readonly [markdown: string, html: string];

const table = (header: string, ...rows: readonly string[]): string =>
  `<table><thead><tr>${header}</tr></thead>${rows.length > 0 ? `<tbody>${rows.map((row) => `<tr>${row}</tr>`).join('')}</tbody>` : ''}</table>`;
const AB = '<th>a</th><th>b</th>';

/** Tables: a header, a line of dashes with as many cells, then rows until a blank line or another block. */
const TABLES: readonly DialectExample[] = [
  ['| a | b |\n| - | - |\n| 1 | 2 |', table(AB, '<td>1</td><td>2</td>')],
  // The outer bars may be missing, and the cells need not stand under each other.
  ['a | b\n--|--\n1|2', table(AB, '<td>1</td><td>2</td>')],
  ['| a |\n|-|', table('<th>a</th>')],
  [
    '| a | b | c |\n| :- | :-: | -: |\n| 1 | 2 | 3 |',
    table(
      '<th align="left">a</th><th align="center">b</th><th align="right">c</th>',
      '<td align="left">1</td><td align="center">2</td><td align="right">3</td>',
    ),
  ],
  // A bar is part of a cell when it is escaped, in code as well.
  [
    '| a |\n|---|\n| 1 \\| 2 |\n| `x \\| y` |\n| **b \\| c** |',
    table('<th>a</th>', '<td>1 | 2</td>', '<td><code>x | y</code></td>', '<td><strong>b | c</strong></td>'),
  ],
  // Another number of cells in the two first lines: no table.
  ['| a | b |\n| - |\n| 1 |', '<p>| a | b |\n| - |\n| 1 |</p>'],
  // Rows may be too short and too long.
  ['| a | b |\n| - | - |\n| 1 |\n| 1 | 2 | 3 |', table(AB, '<td>1</td><td></td>', '<td>1</td><td>2</td>')],
  // The table ends where another block begins.
  ['| a | b |\n| - | - |\n| 1 | 2 |\n> q', `${table(AB, '<td>1</td><td>2</td>')}<blockquote><p>q</p></blockquote>`],
  ['| a | b |\n| - | - |\nbar\n\nbaz', `${table(AB, '<td>bar</td><td></td>')}<p>baz</p>`],
  [
    '| a | b |\n| - | - |\n| *x* | [l](https://example.org/) |',
    table(AB, '<td><em>x</em></td><td><a href="https://example.org/">l</a></td>'),
  ],
  ['text\n| a | b |\n| - | - |', `<p>text</p>${table(AB)}`],
  ['- | a | b |\n  | - | - |\n  | 1 | 2 |', `<ul><li>${table(AB, '<td>1</td><td>2</td>')}</li></ul>`],
  ['> | a | b |\n> | - | - |', `<blockquote>${table(AB)}</blockquote>`],
  ['| a | b |\n| - | - |\n|  | x |', table(AB, '<td></td><td>x</td>')],
  ['| a | b |\n\n| - | - |', '<p>| a | b |</p><p>| - | - |</p>'],
  ['    | a | b |\n    | - | - |', '<pre><code>| a | b |\n| - | - |\n</code></pre>'],
];

/** Text between two tildes on each side is struck out; one tilde or three are no mark. */
const STRIKETHROUGH: readonly DialectExample[] = [
  ['~~old~~ new', '<p><del>old</del> new</p>'],
  ['~~one\ntwo~~', '<p><del>one\ntwo</del></p>'],
  ['~~one\n\ntwo~~', '<p>~~one</p><p>two~~</p>'],
  ['**~~both~~**', '<p><strong><del>both</del></strong></p>'],
  ['~~a *b* `c`~~', '<p><del>a <em>b</em> <code>c</code></del></p>'],
  ['~~ apart ~~', '<p>~~ apart ~~</p>'],
  ['\\~~not~~', '<p>~~not~~</p>'],
  ['about ~5 to ~6', '<p>about ~5 to ~6</p>'],
  ['`~~code~~`', '<p><code>~~code~~</code></p>'],
  ['in~~side~~word', '<p>in<del>side</del>word</p>'],
];

const task = (isDone: boolean, words: string): string => `<li><input type="checkbox" disabled${isDone ? ' checked' : ''}> ${words}</li>`;

/** A list item that begins with a box in brackets is a task. */
const TASKS: readonly DialectExample[] = [
  ['- [ ] open\n- [x] done', `<ul>${task(false, 'open')}${task(true, 'done')}</ul>`],
  ['- [X] done', `<ul>${task(true, 'done')}</ul>`],
  ['1. [ ] open\n2. [x] done', `<ol>${task(false, 'open')}${task(true, 'done')}</ol>`],
  ['* [x] *done*\n  - [ ] below', `<ul><li><input type="checkbox" checked> <em>done</em><ul>${task(false, 'below')}</ul></li></ul>`],
  ['- [ ]open', '<ul><li>[ ]open</li></ul>'],
  ['- [y] no box', '<ul><li>[y] no box</li></ul>'],
  ['- \\[ ] escaped', '<ul><li>[ ] escaped</li></ul>'],
  ['- text [ ] later', '<ul><li>text [ ] later</li></ul>'],
  ['[ ] no list', '<p>[ ] no list</p>'],
  ['- [x](https://example.org/)', '<ul><li><a href="https://example.org/">x</a></li></ul>'],
];

/** An address of the web or of mail is a link without brackets too, without the punctuation behind it. */
const ADDRESSES: readonly DialectExample[] = [
  ['See https://example.org/a?b=c#d now', '<p>See <a href="https://example.org/a?b=c#d">https://example.org/a?b=c#d</a> now</p>'],
  ['http://example.org', '<p><a href="http://example.org/">http://example.org</a></p>'],
  ['Look at https://example.org/a.', '<p>Look at <a href="https://example.org/a">https://example.org/a</a>.</p>'],
  ['(https://example.org/a_(b))', '<p>(<a href="https://example.org/a_(b)">https://example.org/a_(b)</a>)</p>'],
  [
    'https://example.org/a, https://example.org/b!',
    '<p><a href="https://example.org/a">https://example.org/a</a>, <a href="https://example.org/b">https://example.org/b</a>!</p>',
  ],
  ['**https://example.org/a**', '<p><strong><a href="https://example.org/a">https://example.org/a</a></strong></p>'],
  ['Write to someone@example.org.', '<p>Write to <a href="mailto:someone@example.org">someone@example.org</a>.</p>'],
  ['`https://example.org`', '<p><code>https://example.org</code></p>'],
  ['[https://example.org/a](https://example.org/a)', '<p><a href="https://example.org/a">https://example.org/a</a></p>'],
  // Names of files look like hosts, so a bare name is none.
  ['Open main.py and example.org', '<p>Open main.py and example.org</p>'],
  ['ftp://example.org and javascript://example.org', '<p>ftp://example.org and javascript://example.org</p>'],
  [
    '链接：https://example.org/路径。后面',
    '<p>链接：<a href="https://example.org/%E8%B7%AF%E5%BE%84">https://example.org/路径</a>。后面</p>',
  ],
];

/**
 * Emphasis in writing without blanks between words: the marks stand right between letters and full-width punctuation, where the rules for
 * Latin script would take them for stars.
 */
const EAST_ASIAN_EMPHASIS: readonly DialectExample[] = [
  ['**中文。**后面', '<p><strong>中文。</strong>后面</p>'],
  ['前面**“粗体”**后面', '<p>前面<strong>“粗体”</strong>后面</p>'],
  ['前面**「重点」**后面', '<p>前面<strong>「重点」</strong>后面</p>'],
  ['这是**重点（注意）**内容', '<p>这是<strong>重点（注意）</strong>内容</p>'],
  ['**注意：**请先备份', '<p><strong>注意：</strong>请先备份</p>'],
  ['*强调，*然后', '<p><em>强调，</em>然后</p>'],
  ['他说：**“好！”**。', '<p>他说：<strong>“好！”</strong>。</p>'],
  ['**第一**、**第二**和**第三**。', '<p><strong>第一</strong>、<strong>第二</strong>和<strong>第三</strong>。</p>'],
  ['***很重要！***请看', '<p><em><strong>很重要！</strong></em>请看</p>'],
  ['使用**`code`**函数', '<p>使用<strong><code>code</code></strong>函数</p>'],
  ['见**[链接](https://example.org/)**处', '<p>见<strong><a href="https://example.org/">链接</a></strong>处</p>'],
  ['~~旧的。~~新的', '<p><del>旧的。</del>新的</p>'],
  ['価格は**1,000円（税込）**です', '<p>価格は<strong>1,000円（税込）</strong>です</p>'],
  ['これは**「太字」**です。', '<p>これは<strong>「太字」</strong>です。</p>'],
  ['**日本語。**次の文', '<p><strong>日本語。</strong>次の文</p>'],
  ['カタカナの**テスト！**です', '<p>カタカナの<strong>テスト！</strong>です</p>'],
  ['*斜体（しゃたい）*の例', '<p><em>斜体（しゃたい）</em>の例</p>'],
  ['**마크다운(Markdown)**은 쉽다', '<p><strong>마크다운(Markdown)</strong>은 쉽다</p>'],
  ['이것은 **"중요"**합니다', '<p>이것은 <strong>"중요"</strong>합니다</p>'],
  ['**주의!**하세요', '<p><strong>주의!</strong>하세요</p>'],
  ['한국어는 *강조(하기)*와 **굵게**를 쓴다', '<p>한국어는 <em>강조(하기)</em>와 <strong>굵게</strong>를 쓴다</p>'],
  ['**参考文献[1]**中', '<p><strong>参考文献[1]</strong>中</p>'],
  ['**温度：20℃**以下', '<p><strong>温度：20℃</strong>以下</p>'],
  ['**《书名》**的作者', '<p><strong>《书名》</strong>的作者</p>'],
  ['１．**全角：**ＡＢＣ', '<p>１．<strong>全角：</strong>ＡＢＣ</p>'],
  ['**葛󠄀城市。**の', '<p><strong>葛󠄀城市。</strong>の</p>'],
  // Stars apart from the words stay stars, and multiplication is none.
  ['** 中文 **', '<p>** 中文 **</p>'],
  ['3 * 4 * 5 等于六十', '<p>3 * 4 * 5 等于六十</p>'],
  ['变量 foo_bar_baz 和 中_文_字', '<p>变量 foo_bar_baz 和 中_文_字</p>'],
];

/** Everything beyond CommonMark that is drawn as others draw it. */
export const DIALECT: Readonly<Record<string, readonly DialectExample[]>> = {
  tables: TABLES,
  strikethrough: STRIKETHROUGH,
  'task lists': TASKS,
  addresses: ADDRESSES,
  'emphasis in Chinese, Japanese and Korean': EAST_ASIAN_EMPHASIS,
};
