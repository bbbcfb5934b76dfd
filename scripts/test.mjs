// npm test: every check there is, each stage with its time, and one line at the end that says how many passed.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { requireChromium } from './browser.mjs';
import { build } from './build.mjs';
import { installIfNeeded } from './install.mjs';
import { ROOT, run, runTool } from './run.mjs';

const MINUTE_MS = 60_000;
const RESULTS = join(ROOT, 'test-results');
// Two at a time: each of these keeps about one core busy.
const STATIC_CHECKS_AT_ONCE = 2;

let passed = 0;
let failed = 0;

/**
 * @typedef {{ code: number, output: string }} Outcome
 * @typedef {{ name: string, start: () => Promise<Outcome>, count?: (outcome: Outcome) => Promise<{ passed: number, failed: number }> }} Stage
 */

/** @param {Stage} stage @returns {Promise<boolean>} whether it passed */
async function runStage({ name, start, count = async ({ code }) => ({ passed: Number(code === 0), failed: Number(code !== 0) }) }) {
  const startedAt = performance.now();
  const outcome = await start();
  const counted = await count(outcome);
  // A stage that ended badly without a failed test in its report (a crash, a time-out) has failed all the same.
  if (outcome.code !== 0 && counted.failed === 0) counted.failed = 1;
  passed += counted.passed;
  failed += counted.failed;
  const isGood = counted.failed === 0;
  if (!isGood && outcome.output !== '') console.log(outcome.output.trimEnd());
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${isGood ? '✓' : '✗'} ${name} (${seconds} s, ${counted.passed} passed, ${counted.failed} failed)`);
  return isGood;
}

/** @param {string} name @param {string} script @param {readonly string[]} args @param {Record<string, string>} [env] @returns {Stage} */
const tool = (name, script, args, env = {}) => ({
  name,
  start: () => runTool(script, args, { env, timeoutMs: 10 * MINUTE_MS, capture: true }),
});

const types = (/** @type {string} */ name, /** @type {string} */ project) =>
  tool(`types: ${name}`, 'typescript/bin/tsc', ['-p', project, '--pretty', 'false']);

const graph = (/** @type {string} */ name, /** @type {Record<string, string>} */ env) =>
  tool(name, 'dependency-cruiser/bin/dependency-cruise.mjs', ['--config', 'tests/architecture/layers.cjs', 'src'], env);

/** @type {Stage[]} */
const STATIC_CHECKS = [
  tool('lint', 'eslint/bin/eslint.js', ['--max-warnings', '0', '.']),
  tool('types: app', 'svelte-check/bin/svelte-check', ['--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'human']),
  types('core', 'src/core'),
  types('worker', 'src/worker'),
  types('service worker', 'src/service-worker'),
  types('tests', 'tests'),
  types('end-to-end tests', 'e2e'),
  types('configuration', 'tsconfig.node.json'),
  tool('format', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.']),
  tool('unused code', 'knip/bin/knip.js', ['--no-progress', '--no-config-hints']),
  graph('layers and cycles', {}),
  graph('what the page loads at its start', { LOADED_AT_START: '1' }),
];

/** @param {string} name @param {string} project @param {number} timeoutMs @returns {Stage} */
const vitest = (name, project, timeoutMs) => ({
  name,
  start: () =>
    runTool(
      'vitest/vitest.mjs',
      ['run', '--project', project, '--reporter', 'dot', '--reporter', 'json', `--outputFile.json=${join(RESULTS, `${project}.json`)}`],
      { timeoutMs },
    ),
  count: async () => {
    const report = await readReport(`${project}.json`);
    return {
      passed: report?.numPassedTests ?? 0,
      failed: (report?.numFailedTests ?? 0) + (report?.numFailedTestSuites > 0 && report?.numFailedTests === 0 ? 1 : 0),
    };
  },
});

/** @type {Stage} */
const endToEnd = {
  name: 'end-to-end tests',
  start: () =>
    runTool('@playwright/test/cli.js', ['test', '--project=e2e', '--project=bench-contract', '--reporter=list,json'], {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(RESULTS, 'e2e.json') },
      timeoutMs: 20 * MINUTE_MS,
    }),
  count: async () => {
    const stats = (await readReport('e2e.json'))?.stats;
    return { passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0) };
  },
};

/** @param {string} name */
async function readReport(name) {
  try {
    return JSON.parse(await readFile(join(RESULTS, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @type {Stage} */
const bundleChecks = {
  name: 'what the build is made of',
  start: async () => {
    const outcome = await run(process.execPath, ['scripts/check-bundle.mjs'], { timeoutMs: MINUTE_MS, capture: true });
    console.log(outcome.output.trimEnd().split('\n').slice(0, -1).join('\n'));
    return { ...outcome, output: outcome.output };
  },
  count: async ({ output }) => {
    const line = /(\d+) passed, (\d+) failed\s*$/.exec(output);
    return { passed: Number(line?.[1] ?? 0), failed: Number(line?.[2] ?? 0) };
  },
};

async function runStaticChecks() {
  const waiting = [...STATIC_CHECKS];
  const lane = async () => {
    for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) await runStage(stage);
  };
  await Promise.all(Array.from({ length: STATIC_CHECKS_AT_ONCE }, lane));
}

await installIfNeeded();
await requireChromium();
await rm(RESULTS, { recursive: true, force: true });
await mkdir(RESULTS, { recursive: true });

await runStaticChecks();
await runStage(vitest('unit and contract tests', 'unit', 10 * MINUTE_MS));
const isBuilt = await runStage({ name: 'build', start: () => build('normal') });
const isBenchBuilt = await runStage({ name: 'build with bench functions', start: () => build('bench') });
if (isBuilt) await runStage(bundleChecks);
await runStage(vitest('component tests in Chromium', 'browser', 10 * MINUTE_MS));
if (isBuilt && isBenchBuilt) await runStage(endToEnd);

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
