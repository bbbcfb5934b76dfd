/**
 * The layers, bottom up: section 1 of docs/architecture.md as data. The linter's zones, the dependency graph's rules and the tests of both
 * are made from this one table.
 *
 * @typedef {{ readonly name: string, readonly mayImport: readonly string[] }} Layer
 * @type {readonly Layer[]}
 */
export const LAYERS = [
  { name: 'core', mayImport: [] },
  { name: 'bridge', mayImport: ['core'] },
  { name: 'storage', mayImport: ['core'] },
  { name: 'outbound', mayImport: ['core', 'storage'] },
  { name: 'workspace', mayImport: ['core', 'storage'] },
  { name: 'local-models', mayImport: ['core', 'storage', 'outbound'] },
  { name: 'providers', mayImport: ['core', 'outbound'] },
  { name: 'ingest', mayImport: ['core', 'outbound'] },
  { name: 'retrieval', mayImport: ['core', 'storage', 'outbound'] },
  { name: 'tools', mayImport: ['core', 'storage', 'outbound', 'workspace', 'retrieval'] },
  {
    name: 'generation',
    mayImport: ['core', 'storage', 'outbound', 'workspace', 'providers', 'ingest', 'retrieval', 'tools'],
  },
  {
    name: 'worker',
    mayImport: [
      'core',
      'bridge',
      'storage',
      'outbound',
      'workspace',
      'local-models',
      'providers',
      'ingest',
      'retrieval',
      'tools',
      'generation',
    ],
  },
  { name: 'app', mayImport: ['core', 'storage', 'bridge'] },
  { name: 'service-worker', mayImport: ['core'] },
];

/** Layers that get time, ids and randomness handed in. */
export const PURE_LAYERS = LAYERS.map((layer) => layer.name).filter((name) => !['worker', 'app', 'service-worker'].includes(name));

/** Packages that are too heavy or too powerful to turn up just anywhere. */
export const PACKAGE_HOMES = [
  { package: 'svelte', layers: ['app'] },
  { package: 'bits-ui', layers: ['app'] },
  { package: '@lucide/svelte', layers: ['app'] },
  { package: '@mlc-ai/web-llm', layers: ['local-models'] },
  { package: '@wllama/wllama', layers: ['local-models'] },
  { package: 'openai', layers: ['providers'] },
  { package: 'dexie', layers: ['storage', 'app'] },
];
