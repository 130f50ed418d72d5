import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;

/** Loads a library, or a module below `dist/`, as Node does, past Jest. */
export const native = (name: string): Record<string, unknown> =>
  process.getBuiltinModule('node:module').createRequire(join(root, 'test/'))(
    name.startsWith('dist/') ? join(root, name) : name,
  );
