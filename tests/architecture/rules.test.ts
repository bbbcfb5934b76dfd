import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import ts from 'typescript-eslint';
import { describe, expect, test } from 'vitest';
import { LAYERS, PACKAGE_HOMES, PURE_LAYERS } from './layers';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

// Planted files don't exist, so the compiler can't know them; rules that need types are planted into files that do.
const withoutTypes = new ESLint({
  cwd: ROOT,
  overrideConfig: [{ files: ['**/*.{ts,svelte}'], ...ts.configs.disableTypeChecked }],
});
const withTypes = new ESLint({ cwd: ROOT });

async function findings(file: string, code: string, linter: ESLint = withoutTypes): Promise<readonly string[]> {
  const [result] = await linter.lintText(code, { filePath: `${ROOT}${file}` });
  const fatal = result?.messages.find((message) => message.fatal === true);
  if (result === undefined || fatal !== undefined) throw new Error(`${file} was not linted: ${fatal?.message ?? 'no result'}`);
  return result.messages.map((message) => `${message.ruleId ?? 'none'}: ${message.message}`);
}

const LAYER_RULE = /^jackdaw\/layers: /;

describe('layers', () => {
  const pairs = LAYERS.flatMap((from) =>
    LAYERS.map((to) => ({ from: from.name, to: to.name, isAllowed: from === to || from.mayImport.includes(to.name) })),
  );

  test.each(pairs)('$from → $to is allowed: $isAllowed', async ({ from, to, isAllowed }) => {
    const found = await findings(`src/${from}/planted.ts`, `import { thing } from '../${to}/thing';\nthing();\n`);
    expect(found.some((finding) => LAYER_RULE.test(finding))).toBe(!isAllowed);
  });

  test.each([
    ['a type import', `import type { Turn } from '../generation/turn';\nexport type Own = Turn;\n`],
    ['a dynamic import', `export const load = () => import('../generation/turn');\n`],
    ['an import type', `export type Own = import('../generation/turn').Turn;\n`],
    ['an address of a file', `export const address = new URL('../generation/turn.ts', import.meta.url);\n`],
    ['a side effect', `import '../generation/turn';\n`],
  ])('sees %s', async (_name, code) => {
    expect(await findings('src/app/planted.ts', code)).toContainEqual(expect.stringMatching(LAYER_RULE));
  });

  test.each([
    [
      'a component',
      'src/app/chat/Planted.svelte',
      `<script lang="ts">\n  import { turn } from '../../generation/turn';\n</script>\n\n{turn}\n`,
    ],
    [
      'a state module',
      'src/app/state/planted.svelte.ts',
      `import { turn } from '../../generation/turn';\nexport const state = $state(turn);\n`,
    ],
    ['a deep folder', 'src/providers/shared/planted.ts', `import { turn } from '../../generation/turn';\nturn();\n`],
    ['a file outside src', 'src/core/planted.ts', `import { setup } from '../../tests/support/setup';\nsetup();\n`],
  ])('sees it in %s', async (_name, file, code) => {
    expect(await findings(file, code)).toContainEqual(expect.stringMatching(LAYER_RULE));
  });

  test.each(PACKAGE_HOMES)('$package stays in $layers', async ({ package: name, layers }) => {
    for (const layer of LAYERS) {
      const found = await findings(`src/${layer.name}/planted.ts`, `import '${name}/part';\n`);
      expect(
        found.some((finding) => LAYER_RULE.test(finding)),
        layer.name,
      ).toBe(!layers.includes(layer.name));
    }
  });
});

const RULES: readonly (readonly [what: string, file: string, code: string, finding: RegExp])[] = [
  ['re-exports', 'src/core/planted.ts', `export { thing } from './thing';\n`, /No re-exports/],
  ['re-exports of everything', 'src/app/planted.ts', `export * from './thing';\n`, /No re-exports/],
  ['workers outside the engine', 'src/app/planted.ts', `new Worker('x.js');\n`, /app\/engine\.ts and worker\/engine-line\.ts only/],
  ['runes outside the app', 'src/generation/planted.svelte.ts', `export const state = $state(1);\n`, /belong to src\/app/],
  ['components outside the app', 'src/generation/Planted.svelte', `<p>text</p>\n`, /belong to src\/app/],
  ['fetch', 'src/app/planted.ts', `void fetch('x');\n`, /src\/outbound only/],
  ['fetch of the global object', 'src/providers/planted.ts', `void globalThis.fetch('x');\n`, /src\/outbound only/],
  ['WebSocket', 'src/tools/planted.ts', `new WebSocket('x');\n`, /src\/outbound only/],
  ['EventSource', 'src/worker/planted.ts', `new EventSource('x');\n`, /src\/outbound only/],
  ['XMLHttpRequest', 'src/retrieval/planted.ts', `new XMLHttpRequest();\n`, /src\/outbound only/],
  ['sendBeacon', 'src/app/planted.ts', `navigator.sendBeacon('x');\n`, /src\/outbound only/],
  ['evaluated text', 'src/app/planted.ts', `eval('1');\n`, /^no-eval/],
  ['functions from text', 'src/app/planted.ts', `export const f = new Function('return 1');\n`, /^no-new-func/],
  ['console', 'src/app/planted.ts', `console.log(1);\n`, /^no-console/],
  ['any', 'src/core/planted.ts', `export const x: any = 1;\n`, /no-explicit-any/],
  ['assertions', 'src/core/planted.ts', `export const x = JSON.parse('1') as number;\n`, /consistent-type-assertions/],
  ['non-null assertions', 'src/core/planted.ts', `export const f = (x: string | null) => x!.length;\n`, /no-non-null-assertion/],
  ['loose equality', 'src/core/planted.ts', `export const f = (x: number) => x == 1;\n`, /^eqeqeq/],
  [
    'imports of types as values',
    'src/core/planted.ts',
    `import { T } from './t';\nexport const f = (x: T) => x;\n`,
    /consistent-type-imports/,
  ],
  ['long files', 'src/core/planted.ts', `export {};\n${'//\n'.repeat(401)}`, /^max-lines:/],
  ['long functions', 'src/core/planted.ts', `export function f(x: number) {\n${'  x++;\n'.repeat(81)}}\n`, /^max-lines-per-function/],
  [
    'HTML from text',
    'src/app/chat/Planted.svelte',
    `<script lang="ts">\n  let { x } = $props();\n</script>\n\n{@html x}\n`,
    /no-at-html-tags/,
  ],
  ['lists without keys', 'src/app/chat/Planted.svelte', `{#each [1, 2] as x}<p>{x}</p>{/each}\n`, /require-each-key/],
  ['buttons without a type', 'src/app/chat/Planted.svelte', `<button>text</button>\n`, /button-has-type/],
  ['unsafe new tabs', 'src/app/chat/Planted.svelte', `<a href="https://example.org" target="_blank">text</a>\n`, /no-target-blank/],
  [
    'any in components',
    'src/app/chat/Planted.svelte',
    `<script lang="ts">\n  let { x }: { x: any } = $props();\n</script>\n\n{x}\n`,
    /no-explicit-any/,
  ],
  ['fetch in components', 'src/app/chat/Planted.svelte', `<script lang="ts">\n  void fetch('x');\n</script>\n`, /src\/outbound only/],
];

const IMPURE: readonly (readonly [what: string, code: string, finding: RegExp])[] = [
  ['the clock', `export const f = () => Date.now();\n`, /Time is handed in/],
  ['a date of now', `export const f = () => new Date();\n`, /Time is handed in/],
  ['the precise clock', `export const f = () => performance.now();\n`, /Time is handed in/],
  ['randomness', `export const f = () => Math.random();\n`, /Randomness is handed in/],
  ['ids', `export const f = () => crypto.randomUUID();\n`, /Ids are handed in/],
];

describe('rules', () => {
  test.each(RULES)('catch %s', async (_what, file, code, finding) => {
    expect(await findings(file, code)).toContainEqual(expect.stringMatching(finding));
  });

  test.each(PURE_LAYERS.flatMap((layer) => IMPURE.map(([what, code, finding]) => ({ layer, what, code, finding }))))(
    'catch $what in $layer',
    async ({ layer, code, finding }) => {
      expect(await findings(`src/${layer}/planted.ts`, code)).toContainEqual(expect.stringMatching(finding));
    },
  );

  test.each([
    ['floating promises', `export function f(): void {\n  Promise.resolve(1);\n}\n`, /no-floating-promises/],
    [
      'unfinished switches',
      `export function f(x: 'a' | 'b'): number {\n  switch (x) {\n    case 'a':\n      return 1;\n  }\n  return 2;\n}\n`,
      /switch-exhaustiveness-check/,
    ],
    ['unchecked outside data', `export const f = (text: string): number => JSON.parse(text).length;\n`, /no-unsafe/],
  ])('catch %s by their types', async (_what, code, finding) => {
    expect(await findings('src/core/errors.ts', code, withTypes)).toContainEqual(expect.stringMatching(finding));
  });

  test.each([
    ['a date from a number', 'src/core/planted.ts', `export const f = (at: number) => new Date(at);\n`],
    ['as const', 'src/core/planted.ts', `export const LIST = ['a', 'b'] as const;\n`],
    ['the gate’s own fetch', 'src/outbound/planted.ts', `export const f = () => fetch('x');\n`],
    ['the worker’s own fetch for the gate', 'src/worker/generation.ts', `export const f = () => fetch('x');\n`],
    ['the gate’s hand in the page', 'src/app/page-calls/window-fetch.ts', `export const f = () => fetch('x');\n`],
    ['the clock of a worker entry', 'src/worker/planted.ts', `export const now = () => Date.now();\n`],
    [
      'the engine worker of local models',
      'src/worker/engine-line.ts',
      `export const w = new Worker(new URL('./local-engine.ts', import.meta.url));\n`,
    ],
    ['the engine’s worker', 'src/app/engine.ts', `export const w = new Worker(new URL('../worker/generation.ts', import.meta.url));\n`],
    ['a fetch that was handed in', 'src/providers/planted.ts', `export const f = (fetch: (url: string) => string) => fetch('x');\n`],
  ])('allow %s', async (_what, file, code) => {
    expect(await findings(file, code)).toEqual([]);
  });
});
