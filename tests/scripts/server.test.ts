import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MARKER_PATH, serve } from '../../scripts/server.mjs';

let folder = '';
const servers: { close: () => Promise<void> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jackdaw-server-'));
  await mkdir(join(folder, 'build/assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'build/index.html'), '<!doctype html>page');
  await writeFile(join(folder, 'build/assets/index-1.js'), 'export {};');
  await writeFile(
    join(folder, 'build/_headers'),
    '/*\n  X-Everywhere: yes\n/assets/*\n  Cache-Control: immutable\n/index.html\n  Cache-Control: no-cache\n',
  );
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await rm(folder, { recursive: true });
});

async function start(options: Partial<Parameters<typeof serve>[0]> = {}): Promise<string> {
  const server = await serve({ folder: join(folder, 'build'), port: 0, ...options });
  servers.push(server);
  return server.url;
}

const get = (url: string, headers: Record<string, string> = {}): Promise<Response> => fetch(url, { redirect: 'manual', headers });
const NAVIGATION = { accept: 'text/html,*/*' };

describe('server', () => {
  test('serves the page and its files with their types and the headers of the build', async () => {
    const url = await start();
    const page = await get(url, NAVIGATION);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('x-everywhere')).toBe('yes');
    const script = await get(`${url}assets/index-1.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toBe('immutable');
  });

  test('never answers a missing file with the page', async () => {
    const url = await start();
    for (const headers of [{}, NAVIGATION]) {
      const answer = await get(`${url}assets/gone-2.js`, headers);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    }
    expect((await get(`${url}chat`)).status).toBe(404);
  });

  test('leads a navigation to an unknown address home and keeps its query', async () => {
    const url = await start({ basePath: '/sub/path/' });
    const answer = await get(`${url}chat/1?x=1`, NAVIGATION);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/sub/path/?x=1');
    expect((await get(url)).status).toBe(200);
  });

  test('gives away nothing beside the build', async () => {
    const url = await start();
    for (const path of ['..%2fsecret.txt', '%2e%2e/secret.txt', 'assets/..%2f..%2fsecret.txt', '%00', '%zz']) {
      expect((await get(url + path)).status, path).toBe(404);
    }
  });

  test('says whose it is, answers an unchanged file without a body and refuses writing', async () => {
    const url = await start({ version: '9.9.9' });
    expect(await (await get(new URL(MARKER_PATH, url).href)).json()).toEqual({ name: 'jackdaw', version: '9.9.9' });
    const tag = (await get(url)).headers.get('etag') ?? '';
    expect((await get(url, { 'if-none-match': tag })).status).toBe(304);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });

  test('plays a host that knows no headers', async () => {
    const page = await get(await start({ sendsHeaders: false }));
    expect(page.headers.get('x-everywhere')).toBeNull();
  });

  test('rejects where the port is taken', async () => {
    const { port } = new URL(await start());
    await expect(start({ port: Number(port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
