import { afterAll, beforeAll } from '@jest/globals';

/**
 * Opens something before the first test of a file or of a `describe`, and disposes of it after the last one. Until then
 * the object has only what is given, and afterwards nothing.
 */
export function use<T extends AsyncDisposable>(open: () => Promise<T>, given: Partial<T> = {}): T {
  const opened = { ...given } as T;
  beforeAll(async () => {
    Object.assign(opened, await open(), given);
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    for (const key of Reflect.ownKeys(opened)) Reflect.deleteProperty(opened, key); // modules stay in memory
  });
  return opened;
}
