// dependency-cruiser: what only shows in the whole graph. The linter sees single imports (see layer-rule.js).
const HEAVY = [
  'openai',
  'katex',
  'highlight.js',
  'markdown-it',
  'markdown-it-cjk-friendly',
  'markdown-it-footnote',
  'bits-ui',
  'workbox-window',
];
const inPackages = (names) => `node_modules/(${names.join('|')})/`;

// With `LOADED_AT_START=1` the graph has only what is loaded before a first `import()`.
const isStart = process.env.LOADED_AT_START === '1';

const always = [
  // A component may draw itself inside itself: a tree of blocks does.
  { name: 'no-cycles', severity: 'error', from: { path: '(.+)' }, to: { circular: true, pathNot: '^$1$' } },
  {
    name: 'workers-never-reach-svelte',
    severity: 'error',
    from: { path: '^src/worker/[^/]+\\.ts$' },
    to: { path: `\\.svelte(\\.ts)?$|^src/app/|${inPackages(['svelte', 'bits-ui', '@lucide'])}`, reachable: true },
  },
  {
    name: 'page-never-reaches-providers',
    severity: 'error',
    from: { path: '^src/app/main\\.ts$' },
    to: { path: `^src/(providers|generation|worker|ingest|retrieval|tools)/|${inPackages(['openai'])}`, reachable: true },
  },
  { name: 'resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true, pathNot: '^(node:|virtual:)' } },
];
const atStart = [
  {
    name: 'page-starts-light',
    severity: 'error',
    from: { path: '^src/app/main\\.ts$' },
    to: { path: inPackages(HEAVY), reachable: true },
  },
];

module.exports = {
  forbidden: isStart ? atStart : always,
  options: {
    // Types are gone before anything runs, so a type import can't make a cycle or load a package.
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    ...(isStart ? { exclude: { dynamic: true } } : {}),
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.svelte.ts', '.svelte', '.js', '.mjs'],
      conditionNames: ['svelte', 'browser', 'import', 'default'],
    },
  },
};
