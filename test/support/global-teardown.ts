import { rm } from 'node:fs/promises';
import { runFolder } from './folder.ts';

export default async function globalTeardown(): Promise<void> {
  for (const close of globalThis.closeTestDatabases ?? []) await close();
  // The host process of a server that a test killed may still be writing to the folder.
  await rm(process.env[runFolder] ?? '', { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
