import { runTool } from './run.mjs';

const BUILD_TIMEOUT_MS = 300_000;

/**
 * Makes the build into `dist`, or, with the functions of the performance harness in it, into `dist-bench`. Resolves with the code and the
 * output of the build.
 *
 * @param {'normal' | 'bench'} kind
 */
export function build(kind) {
  return runTool('vite/bin/vite.js', ['build', '--logLevel', 'warn'], {
    env: { VITE_BENCH: kind === 'bench' ? '1' : '' },
    timeoutMs: BUILD_TIMEOUT_MS,
    capture: true,
  });
}

/**
 * Builds, then runs one Playwright project with the arguments of the command line. Ends the process with its code.
 *
 * @param {'normal' | 'bench'} kind
 * @param {string} project
 */
export async function buildAndRun(kind, project) {
  console.log('Building …');
  const built = await build(kind);
  if (built.code !== 0) {
    console.error(built.output);
    process.exit(built.code);
  }
  const { code } = await runTool('@playwright/test/cli.js', ['test', `--project=${project}`, ...process.argv.slice(2)]);
  process.exit(code);
}
