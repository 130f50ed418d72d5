import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly devDependencies?: Record<string, string>;
}

const root = new URL('../../', import.meta.url);
const shrinkwrap = new URL('npm-shrinkwrap.json', root);

/** package-lock.json without development dependencies. With it, an installation gets the versions that were tested. */
async function productionLock(): Promise<string> {
  const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const installed = Object.entries(lock.packages)
    .filter(([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer)
    .map(([path, { devDependencies: _, ...locked }]) => [path, locked]);
  return JSON.stringify({ ...lock, packages: Object.fromEntries(installed) }, null, 2);
}

const manifest = new URL('package.json', root);

/** Writes the installable package, NAME-VERSION.tgz, to a folder. */
async function makePackage(folder = '.'): Promise<void> {
  const original = await readFile(manifest, 'utf8');
  const { devDependencies: _, scripts: __, ...product } = JSON.parse(original);
  await writeFile(shrinkwrap, await productionLock());
  await writeFile(manifest, JSON.stringify(product, null, 2));
  try {
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const { status } = spawnSync('npm', args, { cwd: fileURLToPath(root), stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } finally {
    await writeFile(manifest, original);
    await rm(shrinkwrap); // npm would prefer it to package-lock.json
  }
}

await makePackage(process.argv[2]);
