import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import * as operations from './src/graphql/operations.ts';

/** What users who are no administrators may send to `/graphql` (src/console/operations.ts). */
const listOperations: Plugin = {
  name: 'list-operations',
  generateBundle() {
    const hashes = Object.values(operations).map(({ text }) => hash('sha256', text));
    this.emitFile({ type: 'asset', fileName: 'operations.json', source: JSON.stringify(hashes) });
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './', // below any CONTEXT_PATH
  plugins: [listOperations],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
