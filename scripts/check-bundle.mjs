// What must be true of a finished build, read from its files. Prints one line a check and `N passed, N failed` at the end.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAst } from 'vite';
import { ROOT } from './run.mjs';

const FOLDER = join(ROOT, 'dist');
/** All that is fetched until the composer takes text, compressed. */
const MAX_SHELL_BYTES = 150_000;
/** All that is kept for use without a network, as it lies on the disk: more than this is not worth a visitor's first minute. Diagrams are half of it. */
const MAX_PRECACHE_BYTES = 6_000_000;
const ENGINES = [/^vendor\/web-llm-[\w-]+\.js$/, /^vendor\/wllama-[\w-]+\.js$/, /^vendor\/wllama-[\w-]+\.wasm$/];
const ENTRY_WORKERS = /^assets\/(generation|embedding|local-engine|sandbox)-[\w-]+\.js$/;

const names = (await readdir(FOLDER, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1));
/** @type {Map<string, Buffer>} */
const files = new Map(await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await readFile(join(FOLDER, name))]))));
const text = (/** @type {string} */ name) => files.get(name)?.toString('utf8') ?? '';
const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;

/** What a script loads before its first line runs. @param {string} name @returns {string[]} */
function staticImports(name) {
  return parseAst(text(name)).body.flatMap((statement) => {
    const source = 'source' in statement ? statement.source : null;
    return source === null || source === undefined ? [] : [join('assets', String(source.value))];
  });
}

/** @param {string} name @param {Set<string>} reached */
function reach(name, reached) {
  if (reached.has(name)) return;
  reached.add(name);
  if (name.endsWith('.js')) for (const next of staticImports(name)) reach(next, reached);
}

const page = text('index.html');
const linked = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '');
const workers = names.filter((name) => ENTRY_WORKERS.test(name));
/** @type {Set<string>} */
const shell = new Set(['index.html']);
for (const name of [...linked, ...workers.filter((name) => name.startsWith('assets/generation-'))]) reach(name, shell);
// The language is loaded by the page before it is drawn: the largest one counts.
const languages = names.filter((name) => /^assets\/texts-[\w-]+\.js$/.test(name));
const sizes = new Map([...shell, ...languages].map((name) => [name, gzipSync(files.get(name) ?? '').length]));
const largestLanguage = Math.max(0, ...languages.filter((name) => !shell.has(name)).map((name) => sizes.get(name) ?? 0));
const shellBytes = [...shell].reduce((sum, name) => sum + (sizes.get(name) ?? 0), largestLanguage);

const precached = [...text('service-worker.js').matchAll(/\{"revision":(?:null|"\w+"),"url":"([^"]+)"\}/g)].map((match) => match[1] ?? '');
const precacheBytes = [...new Set(precached)].reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);
const scripts = names.filter((name) => name.endsWith('.js'));
const own = [...shell, ...workers].filter((name) => name.endsWith('.js'));

/** @type {readonly (readonly [what: string, holds: boolean, seen: string])[]} */
const checks = [
  ['the shell stays within its budget', shellBytes <= MAX_SHELL_BYTES, `${kilobytes(shellBytes)} of ${kilobytes(MAX_SHELL_BYTES)} gzip`],
  ['the page starts a script and has its worker', linked.some((name) => name.endsWith('.js')) && workers.length > 0, workers.join(', ')],
  ['every language is a file of its own', languages.length >= 2, `${languages.length}`],
  ['the offline set stays within its budget', precacheBytes <= MAX_PRECACHE_BYTES, kilobytes(precacheBytes)],
  ...missingFromPrecache(),
  [
    'what runs models on this device lies apart, fetched by nobody who does not want one',
    ENGINES.every((engine) => names.some((name) => engine.test(name))) &&
      ![...shell, ...precached].some((name) => name.startsWith('vendor/')),
    names.filter((name) => name.startsWith('vendor/')).join(', '),
  ],
  ['the normal build has no bench functions', !scripts.some((name) => text(name).includes('__bench')), ''],
  [
    'page and workers build no code from text',
    !own.some((name) => /\beval\s*\(|\bnew Function\s*\(/.test(text(name))),
    own.filter((name) => /\beval\s*\(|\bnew Function\s*\(/.test(text(name))).join(', '),
  ],
  ['no old font formats', !names.some((name) => /\.(ttf|woff)$/.test(name)), ''],
  ['the page has the policy and no inline script', page.includes('Content-Security-Policy') && !/<script(?![^>]*\ssrc=)/.test(page), ''],
  ['no address of this machine', !scripts.some((name) => text(name).includes(ROOT)), ''],
];

/** Every screen must open offline. @returns {[string, boolean, string][]} */
function missingFromPrecache() {
  const wanted = names.filter((name) => name.startsWith('assets/') || name === 'index.html');
  const missing = wanted.filter((name) => !precached.includes(name));
  return [['everything that a screen needs is kept for offline use', missing.length === 0, missing.join(', ')]];
}

for (const [what, holds, seen] of checks) console.log(`${holds ? '✓' : '✗'} ${what}${seen === '' ? '' : `: ${seen}`}`);
if (shellBytes > MAX_SHELL_BYTES || process.argv.includes('--sizes')) {
  for (const name of shell) console.log(`    ${kilobytes(sizes.get(name) ?? 0).padStart(10)}  ${name}`);
  console.log(`    ${kilobytes(largestLanguage).padStart(10)}  the larger language`);
}
const failed = checks.filter(([, holds]) => !holds).length;
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
