// Serves one build for the browser tests: node scripts/serve-build.mjs FOLDER PORT
import { join } from 'node:path';
import { ROOT } from './run.mjs';
import { serve } from './server.mjs';

const [folder = 'dist', port = '0'] = process.argv.slice(2);
console.log((await serve({ folder: join(ROOT, folder), port: Number(port) })).url);
