import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a program to its end and resolves with its exit code and, where it is captured, what it printed. When the time is over, or this
 * process is told to stop, the program and everything that it started are killed; the code is then 124. Never rejects: a program that
 * can't be started has code 127.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {object} [options]
 * @param {Record<string, string>} [options.env] added to this process's own
 * @param {number} [options.timeoutMs]
 * @param {boolean} [options.capture] collects the output instead of passing it on
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { env = {}, timeoutMs, capture = false } = {}) {
  const isWindows = process.platform === 'win32';
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    // A group of its own, so that browsers and servers which a tool leaves behind end with it.
    detached: !isWindows,
    shell: isWindows,
  });
  const kill = () => {
    try {
      if (isWindows || child.pid === undefined) child.kill();
      else process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  const stop = () => {
    kill();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  let isOverTime = false;
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => ((isOverTime = true), kill()), timeoutMs);
  return new Promise((done) => {
    const finish = (/** @type {number} */ code) => {
      clearTimeout(timer);
      process.off('SIGINT', stop).off('SIGTERM', stop);
      done({ code, output: isOverTime ? `${output}\nended after ${timeoutMs} ms` : output });
    };
    child.once('error', (error) => ((output += error.message), finish(127)));
    child.once('exit', (code) => {
      kill();
      finish(isOverTime ? 124 : (code ?? 1));
    });
  });
}

/**
 * Runs a tool that lies in `node_modules`, by its own script and this Node.
 *
 * @param {string} script path inside `node_modules`
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runTool(script, args, options) {
  return run(process.execPath, [join(ROOT, 'node_modules', script), ...args], options);
}
