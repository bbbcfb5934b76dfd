// npm run soak: long, seeded runs of kills, races and full disks: tabs against each other in Node, then the built app (specs under e2e/soak).
import { requireChromium } from './browser.mjs';
import { buildAndRun } from './build.mjs';
import { installIfNeeded } from './install.mjs';
import { runTool } from './run.mjs';

const INTERLEAVINGS = process.env['SOAK_INTERLEAVINGS'] ?? '10000';
// Others each day, with room for a day's worth; the seed is printed, and one that failed can be given again.
const SEED = process.env['SOAK_SEED'] ?? `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}0000`;

await installIfNeeded();
await requireChromium();
const interleavings = await runTool(
  'vitest/vitest.mjs',
  ['run', 'tests/generation/interleavings.test.ts', '--project', 'unit', '--disable-console-intercept'],
  { env: { INTERLEAVINGS, INTERLEAVING_SEED: SEED } },
);
if (interleavings.code !== 0) process.exit(interleavings.code);
await buildAndRun('normal', 'soak');
