import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run } from './run.mjs';

/**
 * Installs the locked packages unless exactly these lie in `node_modules` already. Ends the process with a sentence where that fails.
 */
export async function installIfNeeded() {
  if (await isInstalled()) return;
  console.log('Installing packages (once; a minute or two) …');
  const { code } = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code === 0) return;
  console.error('The packages could not be installed. Is there a network connection? npm’s own message stands above.');
  process.exit(code);
}

async function isInstalled() {
  const wanted = await readPackages('package-lock.json');
  const present = await readPackages('node_modules/.package-lock.json');
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const found = present[path];
    // Packages for other machines are locked, but not installed here.
    return found === undefined ? optional === true : found.version === version;
  });
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, { version?: string, optional?: boolean }> | undefined>}
 */
async function readPackages(file) {
  try {
    return JSON.parse(await readFile(join(ROOT, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
