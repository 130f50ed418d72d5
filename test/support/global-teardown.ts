import { rm } from 'node:fs/promises';
import { runFolder } from './folder.ts';

export default async function globalTeardown(): Promise<void> {
  await globalThis.removeTemplate?.();
  await rm(process.env[runFolder] ?? '', { recursive: true, force: true });
}
