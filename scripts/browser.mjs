import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Quiet, and allowed to run as root in a container. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * The Chromium that tests run in: `CHROMIUM_PATH`, else the first known command on the path. Undefined when there is none.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : undefined;
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [...COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command))), ...MAC_APPLICATIONS];
  return candidates.find((candidate) => existsSync(candidate));
}

const INSTALL_TIMEOUT_MS = 300_000;

/**
 * As `findChromium`, but where there is none it installs Debian's on a test machine (`CI=true`, as root), and otherwise says how to get one
 * and ends the process.
 *
 * @returns {Promise<string>}
 */
export async function requireChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.env['CI'] === 'true' && process.getuid?.() === 0) {
    console.log('Installing Chromium …');
    const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: INSTALL_TIMEOUT_MS, capture: true };
    const updated = await run('apt-get', ['update'], options);
    const installed = await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
    const chromium = findChromium();
    if (chromium !== undefined) return chromium;
    console.error(`${updated.output}\n${installed.output}`);
  }
  console.error(
    'The tests need Chromium or Chrome. On Debian and Ubuntu: sudo apt-get install chromium. If it lies elsewhere: CHROMIUM_PATH=/path/to/chromium npm test',
  );
  return process.exit(1);
}
