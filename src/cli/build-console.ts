import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consoleFolder } from '../console/files.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = join(root, 'web');
const stampFile = join(consoleFolder, 'stamp');

/** What `/docs` shows, and the versions of the libraries. */
const others = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'openapi.json', 'package-lock.json'];

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Depends on every file of `web/` and of the documentation. */
async function stampOfSources(): Promise<string> {
  const files = [sources, join(root, 'docs')].map(filesBelow);
  const parts = await Promise.all(
    [...(await Promise.all(files)).flat().sort(), ...others.map((name) => join(root, name))].map(
      async (file) => [file.slice(root.length), hash('sha256', await readFile(file))],
    ),
  );
  return hash('sha256', JSON.stringify(parts));
}

/** Builds the pages into `dist/web`, unless that was made of the same files. A release has no `web/`. */
async function buildConsole(): Promise<void> {
  if (!existsSync(sources)) return;
  const stamp = await stampOfSources();
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;
  process.env.NODE_ENV = 'production'; // libraries behave otherwise in tests
  const { build } = await import('vite');
  await build({ configFile: join(sources, 'vite.config.ts'), logLevel: 'error' });
  await writeFile(stampFile, stamp);
}

await buildConsole();
