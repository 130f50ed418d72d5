import { afterAll, beforeAll } from '@jest/globals';

/**
 * Opens a resource before the first test in a file or a `describe`, and disposes of it after the last one. Before the
 * first test, the returned object has only the properties of `initial`; after the last test, it has none.
 */
export function use<T extends AsyncDisposable>(open: () => Promise<T>, initial: Partial<T> = {}): T {
  const opened = { ...initial } as T;
  beforeAll(async () => {
    Object.assign(opened, await open(), initial);
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    // Jest keeps the modules of test files in memory, and this object with them. Its properties are deleted to release
    // the resource.
    for (const key of Reflect.ownKeys(opened)) Reflect.deleteProperty(opened, key);
  });
  return opened;
}
