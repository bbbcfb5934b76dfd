// npm run bench: the performance figures of the build, measured from outside (specs under e2e/bench).
import { requireChromium } from './browser.mjs';
import { buildAndRun } from './build.mjs';
import { installIfNeeded } from './install.mjs';

await installIfNeeded();
await requireChromium();
await buildAndRun('bench', 'bench');
