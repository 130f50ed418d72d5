import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

interface LockedPackage {
  readonly version?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly devDependencies?: Record<string, string>;
}

interface Lock {
  readonly packages: Record<string, LockedPackage>;
}

const root = new URL('../../', import.meta.url);
const shrinkwrap = new URL('npm-shrinkwrap.json', root);

/** Returns the packages in package-lock.json that an installed product needs, with their folders. */
function productionPackages(lock: Lock): Array<[string, LockedPackage]> {
  return Object.entries(lock.packages).filter(
    ([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer,
  );
}

type Versions = Readonly<Record<string, string>>;

/**
 * Returns the versions of all packages that the product needs, except platform-specific packages. `npm install FILE`
 * ignores a package's shrinkwrap file and overrides, so without these pinned versions it would install other versions,
 * and several versions of the same package.
 */
function pinnedVersions(lock: Lock): Versions {
  const topLevel = productionPackages(lock).flatMap(([path, { version, optional }]) => {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    return name === undefined || version === undefined || optional ? [] : [[name, version] as const];
  });
  return Object.fromEntries(topLevel);
}

/**
 * Returns package-lock.json without development dependencies. With this file, npm installs the tested versions.
 */
function productionLock(lock: Lock, dependencies: Versions): string {
  const installed = productionPackages(lock).map(([path, { devDependencies: _, ...locked }]) => [
    path,
    path === '' ? { ...locked, dependencies } : locked,
  ]);
  return JSON.stringify({ ...lock, packages: Object.fromEntries(installed) }, null, 2);
}

const manifest = new URL('package.json', root);

/** Creates the installable package NAME-VERSION.tgz in a folder. */
async function makePackage(folder = '.'): Promise<void> {
  const original = await readFile(manifest, 'utf8');
  const { devDependencies: _, scripts: __, ...product } = JSON.parse(original);
  const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')) as Lock;
  const dependencies = pinnedVersions(lock);
  await writeFile(shrinkwrap, productionLock(lock, dependencies));
  await writeFile(manifest, JSON.stringify({ ...product, dependencies }, null, 2));
  try {
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const { status } = spawnSync('npm', args, { cwd: fileURLToPath(root), stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } finally {
    await writeFile(manifest, original);
    await rm(shrinkwrap); // npm would prefer it to package-lock.json.
  }
}

await makePackage(process.argv[2]);
