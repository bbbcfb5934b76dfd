import { describe, expect, it } from 'vitest';
import { DIALECT } from './dialect-examples';
import { draw } from './drawn';
import { drawnHtml, wantedHtml } from './plain-html';

describe.each(Object.entries(DIALECT))('%s', (_, examples) => {
  it.each(examples)('%j', async (markdown, html) => {
    expect(drawnHtml(await draw(markdown))).toBe(wantedHtml(html));
  });
});
