// Renders public/icon.svg to the sizes that browsers and systems ask for. Run it by hand after a change of the drawing.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { CHROMIUM_FLAGS, findChromium } from './browser.mjs';
import { ROOT } from './run.mjs';

const folder = join(ROOT, 'public');
const drawing = await readFile(join(folder, 'icon.svg'), 'utf8');
// Systems cut these to a shape of their own: the ground fills the square and the bird stays inside the circle that is always kept.
const fullBleed = drawing
  .replaceAll(' rx="14"', '')
  .replace('<g id="jackdaw"', '<g id="jackdaw" transform="translate(5.8 12.8) scale(0.8)"');

const executablePath = findChromium();
const browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: CHROMIUM_FLAGS });
const page = await browser.newPage();

/** @param {string} svg @param {number} size */
async function render(svg, size) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`);
  return page.screenshot({ omitBackground: true });
}

/** The old container that browsers ask for by name: one picture, as PNG. @param {Buffer} png @param {number} size */
function icon(png, size) {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

await writeFile(join(folder, 'icon-192.png'), await render(drawing, 192));
await writeFile(join(folder, 'icon-512.png'), await render(drawing, 512));
await writeFile(join(folder, 'icon-maskable-512.png'), await render(fullBleed, 512));
await writeFile(join(folder, 'apple-touch-icon.png'), await render(fullBleed, 180));
await writeFile(join(folder, 'favicon.ico'), icon(await render(drawing, 32), 32));
await browser.close();
