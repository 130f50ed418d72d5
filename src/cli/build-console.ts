import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFolder } from '../console/files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = join(root, 'web');
const stampFile = join(consoleFolder, 'stamp');

/**
 * Additional inputs of the build: the pages that `/docs` shows, and the lock file, which determines the versions of
 * libraries.
 */
const others = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'DEPENDENCIES.md',
  'SECURITY.md',
  'deploy/monitoring/runbook.md',
  'openapi.json',
  'package-lock.json',
];

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Returns a hash of all files in `web/` and all pages of the documentation. */
async function stampOfSources(): Promise<string> {
  const files = [sources, join(root, 'docs')].map(filesBelow);
  const parts = await Promise.all(
    [...(await Promise.all(files)).flat().sort(), ...others.map((name) => join(root, name))].map(
      async (file) => [file.slice(root.length), hash('sha256', await readFile(file))],
    ),
  );
  return hash('sha256', JSON.stringify(parts));
}

/** Builds the console to `dist/web`, unless its inputs are unchanged. Releases contain the result but not `web/`. */
async function buildConsole(): Promise<void> {
  if (!existsSync(sources)) return;
  const stamp = await stampOfSources();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  process.env.NODE_ENV = 'production'; // Libraries would be built for tests if NODE_ENV were "test".
  const { build } = await import('vite');
  await build({ configFile: join(sources, 'vite.config.ts'), logLevel: 'error' });
  await writeFile(stampFile, stamp);
}

await buildConsole();
