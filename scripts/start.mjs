import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { build } from './build.mjs';
import { installIfNeeded } from './install.mjs';
import { ROOT } from './run.mjs';
import { MARKER_PATH, serve } from './server.mjs';

// One port always: another port is another origin to a browser, so another, empty store.
const DEFAULT_PORT = 4173;
const MARKER_TIMEOUT_MS = 3_000;

const port = readPort();
const address = `http://localhost:${port}/`;

if (await isTaken(port)) await leaveToWhoeverHoldsThePort();
await installIfNeeded();
console.log('Building …');
const built = await build('normal');
if (built.code !== 0) {
  console.error(built.output);
  process.exit(built.code);
}

const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
try {
  const server = await serve({ folder: join(ROOT, 'dist'), port, version });
  console.log(`Jackdaw is ready: ${server.url}\nStop it with Ctrl+C; your conversations stay in the browser.`);
} catch (error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  await leaveToWhoeverHoldsThePort();
}

/** Our own server there is as good as a new one; anything else keeps its port. Ends the process. */
async function leaveToWhoeverHoldsThePort() {
  if (await isOurs()) {
    console.log(`Jackdaw is already running: ${address}`);
    process.exit(0);
  }
  console.error(
    `Port ${port} is used by another program; stop that one, or start with PORT=${port + 1} npm start (another port begins with an empty history).`,
  );
  process.exit(1);
}

async function isOurs() {
  try {
    const response = await fetch(`http://localhost:${port}${MARKER_PATH}`, { signal: AbortSignal.timeout(MARKER_TIMEOUT_MS) });
    return (await response.json()).name === 'jackdaw';
  } catch {
    return false;
  }
}

/** @param {number} port */
function isTaken(port) {
  return new Promise((answer) => {
    const socket = connect({ port, host: 'localhost', timeout: MARKER_TIMEOUT_MS });
    const settle = (/** @type {boolean} */ taken) => () => {
      socket.destroy();
      answer(taken);
    };
    socket.once('connect', settle(true)).once('timeout', settle(true)).once('error', settle(false));
  });
}

function readPort() {
  const text = process.env['PORT'] ?? '';
  if (text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  console.error(`PORT=${text} is not a port; give a number from 1 to 65535.`);
  return process.exit(1);
}
