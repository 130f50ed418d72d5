import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<string>();

/** Runs a function of an extension. Everything that it causes until it ends is attributed to the extension. */
export const runningAs = <T>(extension: string, work: () => T): T => running.run(extension, work);

/** Returns the name of the extension whose function is running; undefined if only the server's own code is running. */
export const runningExtension = (): string | undefined => running.getStore();
