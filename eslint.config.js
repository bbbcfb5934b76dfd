import js from '@eslint/js';
import prettier from 'eslint-config-prettier/flat';
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';
import { layerRule } from './tests/architecture/layer-rule.js';
import { PURE_LAYERS } from './tests/architecture/layers.js';

/** Every one of these builds HTML from text; each is reviewed for it, and no other component may. */
const HTML_COMPONENTS = ['src/app/markdown/HighlightedCode.svelte', 'src/app/markdown/Formula.svelte'];

/** Where the browser's own `fetch` is taken: one hands it to the gate, the other is the gate's hand in the page. */
const FETCH_SOURCES = ['src/worker/generation.ts', 'src/app/page-calls/window-fetch.ts'];

const PRODUCT = 'src/**/*.{ts,svelte}';
const PURE = PURE_LAYERS.map((layer) => `src/${layer}/**/*.ts`);

const everywhere = [
  { selector: 'ExportNamedDeclaration[source]', message: 'No re-exports: import from the file that has it.' },
  { selector: 'ExportAllDeclaration', message: 'No re-exports: import from the file that has it.' },
];
const outsideEngine = [
  {
    selector: 'NewExpression[callee.name=/^(Shared)?Worker$/]',
    message: 'Workers are started in app/engine.ts and worker/engine-line.ts only.',
  },
];
const outsideOutbound = [
  {
    selector: 'MemberExpression[property.name=/^(fetch|WebSocket|EventSource|XMLHttpRequest)$/][object.name=/^(globalThis|self|window)$/]',
    message: 'Requests leave through src/outbound only.',
  },
  { selector: 'MemberExpression[property.name="sendBeacon"]', message: 'Requests leave through src/outbound only.' },
];
const pure = [
  { selector: 'CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name="now"]', message: 'Time is handed in.' },
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Time is handed in.' },
  { selector: 'CallExpression[callee.name="Date"]', message: 'Time is handed in.' },
  { selector: 'MemberExpression[object.name="Math"][property.name="random"]', message: 'Randomness is handed in.' },
  { selector: 'MemberExpression[property.name="randomUUID"]', message: 'Ids are handed in.' },
];
const requests = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
  name,
  message: 'Requests leave through src/outbound only.',
}));

export default defineConfig(
  globalIgnores(['dist/', 'dist-bench/', 'coverage/', 'test-results/', 'playwright-report/', 'tests/fixtures/']),
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  prettier,
  svelte.configs.prettier,
  {
    // Without this entry no TypeScript would be looked at.
    files: ['**/*.{js,mjs,cjs,ts,svelte}'],
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.svelte'] },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-undef': 'off', // The compiler knows better.
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', 400],
      'no-restricted-syntax': ['error', ...everywhere],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      // `keyof X & string` narrows the keys of a parameter; for a known X it only says so.
      '@typescript-eslint/no-redundant-type-constituents': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Contracts are asynchronous even where one of their members is not.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/no-target-blank': 'error',
      // It takes the words of a reason for codes; the compiler stops at the code.
      'svelte/no-unused-svelte-ignore': 'off',
      'svelte/prefer-const': 'error',
      'svelte/require-each-key': 'error',
    },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } } },
  {
    // Parameters of generic components look like `any` here; svelte-check knows their types.
    files: ['**/*.svelte'],
    rules: {
      'prefer-const': 'off', // `svelte/prefer-const` knows about `$props`.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: [PRODUCT],
    plugins: { jackdaw: { rules: { layers: layerRule } } },
    rules: {
      'jackdaw/layers': 'error',
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-restricted-globals': ['error', ...requests],
      'no-restricted-syntax': ['error', ...everywhere, ...outsideEngine, ...outsideOutbound],
      'no-eval': 'error',
      'no-new-func': 'error',
    },
  },
  { files: PURE, rules: { 'no-restricted-syntax': ['error', ...everywhere, ...outsideEngine, ...outsideOutbound, ...pure] } },
  {
    files: ['src/outbound/**/*.ts'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-syntax': ['error', ...everywhere, ...outsideEngine, ...pure] },
  },
  { files: FETCH_SOURCES, rules: { 'no-restricted-globals': 'off' } },
  {
    files: ['src/app/engine.ts', 'src/worker/engine-line.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...outsideOutbound] },
  },
  {
    files: ['src/!(app)/**/*.svelte.ts', 'src/!(app)/**/*.svelte'],
    rules: { 'no-restricted-syntax': ['error', { selector: 'Program', message: 'Runes and components belong to src/app.' }] },
  },
  // It stands in for a package, with all the names of that package.
  { files: ['e2e/support/fake-web-llm.js'], rules: { 'no-restricted-syntax': 'off' } },
  { files: HTML_COMPONENTS, rules: { 'svelte/no-at-html-tags': 'off' } },
  {
    files: ['tests/**/*.{ts,svelte}', 'e2e/**/*.ts'],
    rules: {
      'max-lines': ['error', 600],
      'no-console': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // Parsed JSON and what a page hands out are looked at field by field, and a wrong guess fails the test.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // The way in which Playwright wants its fixtures extended and handed on.
    files: ['e2e/**/*.ts'],
    rules: { 'no-empty-pattern': 'off', 'no-restricted-syntax': 'off' },
  },
  { files: ['**/*.{js,mjs,cjs}', '*.config.ts'], extends: [ts.configs.disableTypeChecked], rules: { 'no-console': 'off' } },
);
