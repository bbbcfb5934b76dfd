import { readLink } from '../../../src/app/markdown/link-policy';
import { LABELS } from './labels';

/**
 * Two ways to the same plain HTML, so that what is drawn can be compared with what a specification wants: `drawnHtml` takes away what we add
 * (wrappers, hosts of links, cards, labels), `wantedHtml` puts in what we decide otherwise (levels of headings, relative addresses as words,
 * pictures behind the link around them). What is left has one element a line and the words between them untouched.
 */
export function drawnHtml(root: Element): string {
  const copy = copyOf(root);
  for (const host of copy.querySelectorAll('a > .host')) host.remove();
  for (const link of copy.querySelectorAll('a')) keepAttributes(link, { href: link.getAttribute('href') });
  for (const card of copy.querySelectorAll('.card')) card.replaceWith(picture(textOf(card, '.alt'), textOf(card, '.host')));
  for (const block of copy.querySelectorAll('.block')) block.replaceWith(codeBlock(textOf(block, 'code'), textOf(block, '.language')));
  for (const box of copy.querySelectorAll('li.task > .box')) {
    const words = box.parentElement?.querySelector('.tight, p');
    words?.prepend(checkbox(box.getAttribute('aria-label') === LABELS.taskDone), ' ');
    box.remove();
  }
  for (const cell of copy.querySelectorAll('th, td'))
    keepAttributes(cell, { align: { center: 'center', end: 'right' }[cell.classList[0] ?? ''] });
  for (const wrapper of copy.querySelectorAll('.scroll, .tight')) wrapper.replaceWith(...wrapper.childNodes);
  for (const body of copy.querySelectorAll('tbody:empty')) body.remove();
  for (const element of copy.querySelectorAll(PLAIN)) keepAttributes(element, {});
  for (const list of copy.querySelectorAll('ol')) keepAttributes(list, { start: list.getAttribute('start') });
  for (const code of copy.querySelectorAll(':not(pre) > code')) keepAttributes(code, {});
  return write(copy);
}

/** What `html` of a specification means where our decisions are applied to it. */
export function wantedHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html').body;
  for (const heading of page.querySelectorAll('h1')) heading.replaceWith(element('h2', {}, heading.childNodes));
  for (const image of page.querySelectorAll('img')) {
    const card = picture(image.alt, readLink(image.getAttribute('src') ?? '')?.host ?? '');
    const link = image.closest('a');
    link?.after(card);
    image.replaceWith(link === null ? card : image.alt);
  }
  for (const link of page.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    const target = readLink(href);
    if (target !== null) keepAttributes(link, { href: target.href });
    else link.replaceWith(...link.childNodes, href === '' || href.startsWith('#') ? '' : ` (${href})`);
  }
  for (const block of page.querySelectorAll('pre')) {
    const language = /language-(.*)/.exec(block.firstElementChild?.className ?? '')?.[1] ?? '';
    block.replaceWith(codeBlock(block.textContent.replace(/\n$/, ''), language));
  }
  for (const box of page.querySelectorAll('input')) box.replaceWith(checkbox(box.checked));
  for (const cell of page.querySelectorAll('[align=left]')) cell.removeAttribute('align');
  return write(page);
}

/** Elements whose attributes say nothing that is compared: direction, classes, roles. */
const PLAIN = 'p, blockquote, h1, h2, h3, h4, h5, h6, ul, li, hr, table, thead, tbody, tr';

/** Without Svelte's marks, which would stand between words that belong together. */
function copyOf(root: Element): Element {
  const copy = document.createElement('div');
  copy.innerHTML = root.innerHTML.replaceAll(/<!--.*?-->/g, '');
  copy.normalize();
  return copy;
}

function element(name: string, attributes: Readonly<Record<string, string>>, children: Iterable<Node | string>): Element {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const picture = (alt: string, host: string): Element =>
  element('img', { alt: alt === LABELS.imageWithoutDescription ? '' : alt, ...(host === '' ? {} : { host }) }, []);
const codeBlock = (text: string, language: string): Element => element('pre', language === '' ? {} : { language }, [text]);
const checkbox = (isChecked: boolean): Element => element('input', isChecked ? { checked: '' } : {}, []);
const textOf = (parent: Element, selector: string): string => parent.querySelector(selector)?.textContent ?? '';

function keepAttributes(target: Element, kept: Readonly<Record<string, string | null | undefined>>): void {
  for (const name of target.getAttributeNames()) target.removeAttribute(name);
  for (const [name, value] of Object.entries(kept)) if (value != null) target.setAttribute(name, value);
}

const BLOCKS = /^(?:p|h[1-6]|ul|ol|li|blockquote|pre|hr|table|thead|tbody|tr|th|td)$/;
const isBlock = (node: Node | null): boolean => node instanceof Element && BLOCKS.test(node.localName);

/** One block a line. Blanks beside a block and after a line break are drawn nowhere. */
function write(root: Element): string {
  root.normalize();
  return [...root.childNodes].map(writeNode).join('').trim();
}

function writeNode(node: Node): string {
  if (node instanceof Text) return escaped(trimmed(node));
  if (!(node instanceof Element)) return '';
  const attributes = node.getAttributeNames().map((name) => ` ${name}="${node.getAttribute(name) ?? ''}"`);
  const inside = node.localName === 'pre' ? escaped(node.textContent) : [...node.childNodes].map(writeNode).join('');
  return isBlock(node)
    ? `\n<${node.localName}${attributes.join('')}>${inside}</${node.localName}>\n`
    : `<${node.localName}${attributes.join('')}>${inside}</${node.localName}>`;
}

function trimmed(text: Text): string {
  const { previousSibling: before, nextSibling: after, parentNode: parent } = text;
  const isFirst =
    before === null
      ? parent instanceof Element && !/^(?:a|em|strong|del|code)$/.test(parent.localName)
      : isBlock(before) || before.nodeName === 'BR';
  const isLast = after === null ? parent instanceof Element && !/^(?:a|em|strong|del|code)$/.test(parent.localName) : isBlock(after);
  const start = isFirst ? text.data.replace(/^[ \n]+/, '') : text.data;
  return isLast ? start.replace(/[ \n]+$/, '') : start;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
