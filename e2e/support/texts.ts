/** An answer with everything that needs code of its own to be drawn. */
export const RICH_ANSWER = [
  '## A table, code and mathematics',
  '',
  '| Bird | Weight |',
  '| --- | ---: |',
  '| Jackdaw | 240 g |',
  '| Raven | 1,200 g |',
  '',
  '```ts',
  "const corvids: string[] = ['jackdaw', 'raven'];",
  '```',
  '',
  'The area is $\\pi r^2$, and',
  '',
  '$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$',
].join('\n');
