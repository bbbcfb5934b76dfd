import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { CHROMIUM_FLAGS, findChromium } from './scripts/browser.mjs';
import { HEADER_POLICY, ISOLATION_HEADERS, META_POLICY, relaxedPolicy } from './src/core/content-security-policy.ts';

const isBench = process.env['VITE_BENCH'] === '1';
const chromium = findChromium();

/** The policy as a `<meta>` element in the page, and as a `_headers` file beside it for hosts that read one; our own server does. */
function contentSecurityPolicy(): Plugin {
  const headers = [
    '/*',
    `  Content-Security-Policy: ${HEADER_POLICY}`,
    ...Object.entries(ISOLATION_HEADERS).map(([name, value]) => `  ${name}: ${value}`),
    '  Cross-Origin-Resource-Policy: same-origin',
    '  X-Content-Type-Options: nosniff',
    '  Referrer-Policy: no-referrer',
    // Their names change with their content. Everything else is asked for again each time.
    '/assets/*',
    '  Cache-Control: public, max-age=31536000, immutable',
    ...['/', '/index.html', '/service-worker.js', '/manifest.webmanifest', '/saved-theme.js'].flatMap((path) => [
      path,
      '  Cache-Control: no-cache',
    ]),
  ];
  const development = relaxedPolicy({ 'style-src': "'self' 'unsafe-inline'", 'connect-src': "'self' https: http: ws:" });
  return {
    name: 'content-security-policy',
    transformIndexHtml: {
      order: 'pre',
      handler: (_html, { server }) => [
        {
          tag: 'meta',
          attrs: { 'http-equiv': 'Content-Security-Policy', content: server === undefined ? META_POLICY : development },
          injectTo: 'head-prepend',
        },
      ],
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '_headers', source: `${headers.join('\n')}\n` });
    },
  };
}

/**
 * Page and worker are two builds that share no chunks, and both open the database: its library is kept out of both and lies beside them as
 * one file, fetched and compiled once for the two. Saves a fifth of the shell.
 */
const SHARED_DATABASE = `dexie-${readVersion('dexie')}.js`;
const withSharedDatabase = { external: ['dexie'], output: { paths: { dexie: `./${SHARED_DATABASE}` } } };

/** What runs models on this device: megabytes that most people never need. They lie apart, and are kept once they were fetched. */
const ENGINE_PACKAGE = /node_modules\/@(?:mlc-ai|wllama)\/(web-llm|wllama)\//;
const withEngines = {
  ...withSharedDatabase,
  output: {
    ...withSharedDatabase.output,
    chunkFileNames: ({ moduleIds }: { moduleIds: readonly string[] }) => {
      const [, name] = moduleIds.map((id) => ENGINE_PACKAGE.exec(id)).find((found) => found !== null) ?? [];
      return name === undefined ? 'assets/[name]-[hash].js' : `vendor/${name}-[hash].js`;
    },
    assetFileNames: ({ names }: { names: readonly string[] }) =>
      names.includes('wllama.wasm') ? 'vendor/[name]-[hash][extname]' : 'assets/[name]-[hash][extname]',
  },
};

function sharedDatabase(): Plugin {
  return {
    name: 'shared-database',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `./assets/${SHARED_DATABASE}` }, injectTo: 'head' },
    ],
    generateBundle() {
      const source = readFileSync('node_modules/dexie/dist/modern/dexie.min.mjs', 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
      this.emitFile({ type: 'asset', fileName: `assets/${SHARED_DATABASE}`, source });
    },
  };
}

function readVersion(name: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  return version;
}

/** Every browser that runs this app reads woff2; the older copies of KaTeX's fonts would double the build. */
function onlyModernFonts(): Plugin {
  return {
    name: 'only-modern-fonts',
    enforce: 'pre',
    transform: {
      filter: { id: /katex.*\.css/ },
      handler: (code) => ({ code: code.replaceAll(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)/g, ''), map: null }),
    },
  };
}

/**
 * The whole build is kept for use without a network, so that every screen opens offline and a tab that is older than the server still finds its
 * own files. Engines and models that are fetched on first use lie under `vendor/` and are left out; a file over 2 MiB fails the build here.
 */
function offline(): Plugin[] {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/service-worker',
    filename: 'service-worker.ts',
    injectRegister: false,
    registerType: 'prompt',
    injectManifest: {
      globPatterns: ['**/*.{js,css,html,svg,png,webmanifest,woff2,wasm}'],
      globIgnores: ['vendor/**'],
      // Names of built files carry a hash already, so no second revision is needed to bust a cache.
      dontCacheBustURLsMatching: /^assets\//,
    },
    manifest: {
      name: 'Jackdaw',
      short_name: 'Jackdaw',
      description: 'A private AI chat that lives in your browser.',
      lang: 'en',
      start_url: '.',
      scope: '.',
      display: 'standalone',
      background_color: '#fcfcfd',
      theme_color: '#f5f6f8',
      categories: ['productivity', 'utilities'],
      icons: [
        { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
        { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
  });
}

/** Dependencies of components that tests mount and of providers that they run; those behind `import()` too. */
const MET_LATE = [
  ...['@mlc-ai/web-llm', '@wllama/wllama', 'hash-wasm'],
  ...['eventsource-parser', 'openai'],
  ...['check', 'code-xml', 'copy', 'corner-up-left', 'external-link', 'image', 'text-wrap'].map((icon) => `@lucide/svelte/icons/${icon}`),
  ...['markdown-it', 'markdown-it-cjk-friendly', 'markdown-it-footnote', 'katex', 'mermaid', 'highlight.js/lib/common'],
  ...['dart', 'dockerfile', 'elixir', 'haskell', 'http', 'julia', 'latex', 'nginx', 'powershell', 'scala'].map(
    (language) => `highlight.js/lib/languages/${language}`,
  ),
];

export default defineConfig({
  // Relative, so that one build works at the root of a host and under any sub-path.
  base: './',
  plugins: [svelte(), contentSecurityPolicy(), onlyModernFonts(), sharedDatabase(), offline()],
  worker: { format: 'es', rolldownOptions: withEngines },
  build: {
    target: 'es2023',
    outDir: isBench ? 'dist-bench' : 'dist',
    // Inlined files would need `data:` in more directives of the policy than pictures do.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: withSharedDatabase,
  },
  server: { headers: ISOLATION_HEADERS, port: 5173 },
  test: {
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/**/*.browser.test.ts'],
          setupFiles: ['tests/support/setup.ts'],
        },
      },
      {
        extends: true,
        // A dependency that is found only while tests run makes the page reload in the middle of them.
        optimizeDeps: { include: MET_LATE },
        test: {
          name: 'browser',
          include: ['tests/**/*.browser.test.ts'],
          globalSetup: ['tests/support/hostile-texts.ts', 'tests/support/served-recordings.ts'],
          browser: {
            enabled: true,
            headless: true,
            // One page at a time: the focus is in one page only.
            fileParallelism: false,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              launchOptions: { ...(chromium === undefined ? {} : { executablePath: chromium }), args: CHROMIUM_FLAGS },
            }),
          },
        },
      },
    ],
  },
});
