import text from 'commonmark-spec/spec.txt?raw';
import MarkdownIt from 'markdown-it';
import { toBlockContent } from '../../../src/app/markdown/block-nodes';
import { parseBlock } from '../../../src/app/markdown/parser';

/** One example of the CommonMark specification. */
export interface Example {
  readonly number: number;
  readonly markdown: string;
  readonly html: string;
}

const FENCE = '`'.repeat(32);

function readExamples(): readonly Example[] {
  const pieces = text.split(`${FENCE} example\n`).slice(1);
  return pieces.map((piece, at) => {
    const body = piece.slice(0, piece.indexOf(`\n${FENCE}\n`) + 1).replaceAll('→', '\t');
    // The line with a single dot stands between the two; the first one counts.
    const middle = body.startsWith('.\n') ? 0 : body.indexOf('\n.\n') + 1;
    return { number: at + 1, markdown: body.slice(0, middle), html: body.slice(middle + 2) };
  });
}

/** All examples of the specification, in its order. */
export const EXAMPLES = readExamples();

// The parser beneath ours, as the specification wants it: for what it says about a text, never for what we draw.
const withHtml = new MarkdownIt('commonmark');
const withoutHtml = new MarkdownIt('commonmark', { html: false });

type Tokens = ReturnType<typeof withHtml.parse>;
const holdsHtml = (tokens: Tokens): boolean => tokens.some(({ type, children }) => type.startsWith('html_') || holdsHtml(children ?? []));

/** The HTML of a text in which tags are words like any other. */
export function htmlWithTagsAsText(markdown: string): string {
  return withoutHtml.render(markdown);
}

const OPENED = /^(?:https?|mailto):/i;
const SCHEMES = /\b(?:href|src)="([a-z][a-z\d+.-]*:)/gi;
const ADDRESS = /https?:\/\/[a-z]|[\w.]+@[a-z]+\./i;

/** The words of a page that stand neither in a link nor in code. */
function bareText(html: string): string {
  return html.replaceAll(/<(a|code)\b[^]*?<\/\1>/g, '').replaceAll(/<[^>]*>/g, '');
}

/** Why an example is not drawn as the specification says, by what it holds; each is a decision. */
const DEVIATIONS: Readonly<Record<string, (example: Example) => boolean>> = {
  'tags are text': ({ markdown }) => holdsHtml(withHtml.parse(markdown, {})),
  'a scheme that is never opened': ({ html }) => [...html.matchAll(SCHEMES)].some(([, scheme = '']) => !OPENED.test(scheme)),
  'addresses are links without brackets too': ({ html }) => ADDRESS.test(bareText(html)),
  'formulas are drawn': ({ markdown }) => JSON.stringify(toBlockContent(parseBlock(markdown, {}), 0)).includes('"type":"formula'),
};

/** The first decision that makes us draw `example` in another way than the specification; null where we draw it as it says. */
export function deviationOf(example: Example): string | null {
  return Object.entries(DEVIATIONS).find(([, isMet]) => isMet(example))?.[0] ?? null;
}
