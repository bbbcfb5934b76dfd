// npm run soak: long, seeded runs of kills, races and full disks (specs under e2e/soak).
import { requireChromium } from './browser.mjs';
import { buildAndRun } from './build.mjs';
import { installIfNeeded } from './install.mjs';

await installIfNeeded();
await requireChromium();
await buildAndRun('normal', 'soak');
