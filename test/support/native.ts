import { pathToFileURL } from 'node:url';
import { compileFunction, constants } from 'node:vm';

const load = compileFunction('return import(specifier)', ['specifier'], {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}) as (specifier: string) => Promise<Record<string, unknown>>;

/** Imports a library, or a module below `dist/`, with Node's own loader instead of Jest's. */
export const native = (name: string): Promise<Record<string, unknown>> =>
  load(name.startsWith('dist/') ? pathToFileURL(name).href : name);
