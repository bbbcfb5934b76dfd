import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { LAYERS } from './layers';

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

  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

  test.each(LAYERS)('$name is documented as it is checked', ({ name, mayImport }) => {
    const cells = page
      .split('\n')
      .find((line) => line.startsWith(`| \`src/${name}\` |`))
      ?.split('|')
      .map((cell) => cell.trim());
    expect(cells?.[3]?.split(', ').filter((layer) => layer !== '–')).toEqual(mayImport);
  });

  test('every file in the documented tree exists', () => {
    const tree = /## 2\. The tree[^]*?```\n([^]*?)```/.exec(page)?.[1] ?? '';
    const named = [...tree.matchAll(/[\w.-]+\.(?:svelte\.ts|svelte|ts|mjs|js|json|html|svg)\b/g)].map((match) => match[0]);
    expect(named.length).toBeGreaterThan(80);
    const present = new Set(files.map((path) => basename(path)));
    expect(named.filter((name) => !present.has(name))).toEqual([]);
  });
});
