import { describe, expect, it } from 'vitest';
import { DIALECT } from './dialect-examples';
import { atOnce, everyCut, streamed } from './reading';

describe.each(Object.entries(DIALECT))('%s', (_, examples) => {
  it.each(examples)('end the same by the character: %j', (markdown) => {
    expect(streamed(markdown, everyCut(markdown))).toEqual(atOnce(markdown));
  });
});
