import { execFile, spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundledPackages } from './bundled-packages.ts';
import { makeClient } from './make-client.ts';

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

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: readonly string[] }>;
}

const billOfMaterials = new URL('sbom.cdx.json', root);

/**
 * Lists the packages that are installed with the product or part of its build, in the CycloneDX format. npm describes all
 * packages of the lock file, including the tools that build the product, which are left out.
 */
async function productBom(lock: Lock): Promise<string> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: fileURLToPath(root),
    maxBuffer: 64 * 1024 * 1024,
  });
  const bom = JSON.parse(stdout) as Bom;
  const folders = [
    ...productionPackages(lock).map(([path]) => path),
    ...(await bundledPackages(fileURLToPath(root))),
  ];
  const shipped = new Set(
    folders.map((path) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `${name}@${lock.packages[path]?.version}`;
    }),
  );
  const own = bom.metadata.component;
  const isShipped = (ref: string): boolean => ref === own['bom-ref'] || shipped.has(ref);
  return JSON.stringify({
    ...bom,
    // npm names the product after the folder of the project.
    metadata: { ...bom.metadata, component: { ...own, name: own['bom-ref'].replace(/@[^@]*$/, '') } },
    components: bom.components.filter((component) => isShipped(component['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => isShipped(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  });
}

/** Creates the installable packages of the server and of the client, NAME-VERSION.tgz, in a folder. */
async function makePackage(folder = '.'): Promise<void> {
  const original = await readFile(manifest, 'utf8');
  const { devDependencies: _, scripts: __, ...product } = JSON.parse(original);
  const lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')) as Lock;
  const dependencies = pinnedVersions(lock);
  await writeFile(billOfMaterials, await productBom(lock));
  await writeFile(shrinkwrap, productionLock(lock, dependencies));
  await writeFile(manifest, JSON.stringify({ ...product, dependencies }, null, 2));
  try {
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const { status } = spawnSync('npm', args, { cwd: fileURLToPath(root), stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } finally {
    await writeFile(manifest, original);
    await rm(billOfMaterials);
    await rm(shrinkwrap); // npm would prefer it to package-lock.json.
  }
}

await makePackage(process.argv[2]);
await makeClient(process.argv[2]);
