import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
