import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['src', 'tests', 'e2e', 'scripts', 'docs', 'public', '.ci'];
const TEXT = /\.(ts|js|mjs|cjs|svelte|css|html|md|json|svg)$|\/run$/;
const THIS_FILE = 'tests/architecture/repository.test.ts';
// Recorded answers and documents of others say what they say.
const RECORDED = /^tests\/fixtures\//;

const files = [
  ...readdirSync(ROOT).filter((name) => statSync(join(ROOT, name)).isFile()),
  ...FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`)),
].filter((path) => TEXT.test(path) && path !== THIS_FILE && !RECORDED.test(path) && statSync(join(ROOT, path)).isFile());

/** Things that belong to one machine or one way of working on it. */
const FOREIGN: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a path of one machine', /(?<![\w.~])\/(?:work|root|tmp|home\/\w+|Users\/\w+)\//],
  ['the address of a package registry', /registry\.(?:npmjs|yarnpkg|npmmirror)\.|\/\/npm\.pkg\./],
  ['a marker of unfinished work', /\b(?:TODO|FIXME|XXX)\b/],
];

describe('repository', () => {
  test('the files are found', () => {
    expect(files).toEqual(expect.arrayContaining(['package.json', 'README.md', 'src/core/errors.ts', 'scripts/test.mjs']));
  });

  test.each(FOREIGN)('no file has %s', (_what, pattern) => {
    const found = files.flatMap((path) =>
      readFileSync(join(ROOT, path), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
    );
    expect(found).toEqual([]);
  });

  test('versions are exact, so that every install is the same', () => {
    const { dependencies, devDependencies }: { dependencies: Record<string, string>; devDependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(version, name).toMatch(/^(?:npm:[^^~]+@)?\d+\.\d+\.\d+/);
  });

  test('the lock holds no download addresses', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('"resolved": "http');
  });

  test('the table of layers is the one that is documented', async () => {
    const { LAYERS } = await import('./layers');
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    for (const layer of LAYERS) expect(page, layer.name).toContain(`\`src/${layer.name}\``);
  });
});
