import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { docsPlugin } from './build/docs-plugin.ts';
import * as operations from './src/graphql/operations.ts';

/** Writes the hashes of the operations that non-administrators can send to `/graphql` (src/console/operations.ts). */
const listOperations: Plugin = {
  name: 'list-operations',
  generateBundle() {
    const hashes = Object.values(operations).map(({ text }) => hash('sha256', text));
    this.emitFile({ type: 'asset', fileName: 'operations.json', source: JSON.stringify(hashes) });
  },
};

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  root: file('.'),
  base: './', // below any CONTEXT_PATH
  plugins: [listOperations, docsPlugin],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.md' },
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [file('index.html'), file('docs.html'), file('share.html')] },
  },
});
