import { afterAll, beforeAll } from '@jest/globals';

/**
 * Opens a resource before the first test of a file or of a `describe`, and disposes of it after the last one. The
 * returned object has only the properties of `initial` before the first test, and none after the last one.
 */
export function use<T extends AsyncDisposable>(open: () => Promise<T>, initial: Partial<T> = {}): T {
  const opened = { ...initial } as T;
  beforeAll(async () => {
    Object.assign(opened, await open(), initial);
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    // Jest keeps the modules of test files, and so this object, in memory.
    for (const key of Reflect.ownKeys(opened)) Reflect.deleteProperty(opened, key);
  });
  return opened;
}
