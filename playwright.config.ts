import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from './scripts/browser.mjs';

// Not the app's own port: its data and its service worker stay out of the tests' way. Two checkouts side by side need two `TEST_PORT`s.
const FIRST_PORT = Number(process.env['TEST_PORT'] ?? 4183);
const PORTS = { dist: FIRST_PORT, 'dist-bench': FIRST_PORT + 1 } as const;
const url = (folder: keyof typeof PORTS): string => `http://localhost:${PORTS[folder]}/`;

const chromium = findChromium();

/** They need the functions of the performance harness, which are only in the build that is made for it. */
const BENCH_BUILD = ['bench-contract.spec.ts', 'pathological.spec.ts'];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  // Timing matters in most of these tests, so nothing else runs beside them.
  workers: 1,
  retries: 0,
  forbidOnly: process.env['CI'] === 'true',
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    serviceWorkers: 'allow',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // An action that waits for ever says nothing about what it waits for.
    actionTimeout: 20_000,
    launchOptions: { ...(chromium === undefined ? {} : { executablePath: chromium }), args: CHROMIUM_FLAGS },
  },
  projects: [
    { name: 'e2e', testIgnore: ['bench/**', 'soak/**', ...BENCH_BUILD], use: { baseURL: url('dist') } },
    { name: 'bench-contract', testMatch: BENCH_BUILD, testIgnore: ['bench/**'], use: { baseURL: url('dist-bench') } },
    { name: 'bench', testDir: 'e2e/bench', timeout: 600_000, use: { baseURL: url('dist-bench') } },
    { name: 'soak', testDir: 'e2e/soak', timeout: 3_600_000, use: { baseURL: url('dist') } },
  ],
  webServer: (['dist', 'dist-bench'] as const)
    .filter((folder) => existsSync(`${folder}/index.html`))
    .map((folder) => ({
      command: `node scripts/serve-build.mjs ${folder} ${PORTS[folder]}`,
      url: url(folder),
      reuseExistingServer: false,
      timeout: 10_000,
    })),
});
