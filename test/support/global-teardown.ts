import { rm } from 'node:fs/promises';
import { runFolder } from './folder.ts';

export default async function globalTeardown(): Promise<void> {
  for (const close of globalThis.closeTestDatabases ?? []) await close();
  await rm(process.env[runFolder] ?? '', { recursive: true, force: true });
}
