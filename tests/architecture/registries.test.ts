import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

interface Registry {
  /** Under src; its `index.ts` is the list. */
  readonly folder: string;
  /** The exported array whose members have an `id`; absent where the list is of another shape. */
  readonly list?: string;
  /** Files of the folder that are no members: the contract, and what several members share. */
  readonly besides: readonly string[];
}

const REGISTRIES: readonly Registry[] = [
  { folder: 'core/route', list: 'ROUTE_RULES', besides: ['rule.ts'] },
  { folder: 'providers', list: 'PROVIDERS', besides: ['provider.ts', 'lazy-provider.ts', 'presets.ts', 'catalogue.ts'] },
  { folder: 'ingest/parsers', list: 'PARSERS', besides: [] },
  { folder: 'ingest/importers', list: 'IMPORTERS', besides: [] },
  { folder: 'tools', list: 'TOOLS', besides: ['tool.ts', 'define-tool.ts', 'arguments-error.ts'] },
  { folder: 'generation/system', list: 'SYSTEM_BLOCKS', besides: ['block.ts'] },
  { folder: 'generation/input', list: 'INPUT_TRANSFORMERS', besides: ['transformer.ts'] },
  { folder: 'generation/output', list: 'OUTPUT_TRANSFORMERS', besides: ['transformer.ts'] },
  { folder: 'generation/after', list: 'AFTER_JOBS', besides: ['job.ts'] },
  { folder: 'worker/commands', besides: [] },
  { folder: 'app/cards', besides: [] },
  { folder: 'app/page-calls', besides: ['answer-notification.ts', 'persistence.ts'] },
  { folder: 'app/locales', besides: ['details.ts', 'format.ts', 'plural.ts'] },
];

const filesOf = (folder: string): readonly string[] =>
  existsSync(join(SRC, folder))
    ? readdirSync(join(SRC, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
        .map((entry) => entry.name)
    : [];

const present = REGISTRIES.filter((registry) => filesOf(registry.folder).length > 0);

/** Module names that a file imports, also through `import()`. */
function importsOf(path: string): readonly string[] {
  return [...readFileSync(path, 'utf8').matchAll(/(?:from|import\()\s*'\.\/([^']+)'/g)].map((match) => match[1] ?? '');
}

describe('registries', () => {
  test('there are some', () => {
    expect(present.length).toBeGreaterThan(3);
  });

  test.each(present)('$folder lists every file in it', ({ folder, besides }) => {
    const files = filesOf(folder);
    expect(files).toContain('index.ts');
    const listed = importsOf(join(SRC, folder, 'index.ts')).map((name) => basename(name, '.svelte'));
    const members = files
      .filter((file) => file !== 'index.ts' && !besides.includes(file))
      .map((file) => basename(file).replace(/\.(svelte|ts)$/, ''));
    expect(members.filter((member) => !listed.includes(member))).toEqual([]);
  });

  test.each(present)('$folder excuses no file that is gone', ({ folder, besides }) => {
    expect(besides.filter((file) => !filesOf(folder).includes(file))).toEqual([]);
  });

  test.each(present.filter((registry) => registry.list !== undefined))('$folder: ids are unique', async ({ folder, list = '' }) => {
    const module: unknown = await import(join(SRC, folder, 'index.ts'));
    const members = typeof module === 'object' && module !== null ? Object.entries(module).find(([name]) => name === list)?.[1] : undefined;
    expect(Array.isArray(members), `${folder}/index.ts exports ${list}`).toBe(true);
    // A tool goes by the name that models use.
    const ids = Array.isArray(members) ? members.map((member: { id?: unknown; name?: unknown }) => member.id ?? member.name) : [];
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) expect(id).toEqual(expect.any(String));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every language folder is loaded by the list of languages', () => {
    const folders = readdirSync(join(SRC, 'app/locales'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const loaded = importsOf(join(SRC, 'app/locales/languages.ts'));
    for (const { name } of folders)
      expect(
        loaded.some((path) => path.startsWith(`${name}/`) || path === name),
        name,
      ).toBe(true);
  });

  test('an index.ts is a list that is known here, never a barrel', () => {
    const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => basename(path) === 'index.ts');
    const known = [
      ...REGISTRIES.map((registry) => join(registry.folder, 'index.ts')),
      'app/locales/en/index.ts',
      'app/locales/zh-Hans/index.ts',
    ];
    expect(found.filter((path) => !known.includes(path))).toEqual([]);
  });
});
