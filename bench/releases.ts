import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { atEnd } from './closing.ts';

/** A Node release with which the servers are measured. */
export interface Release {
  /** The version, such as `v24.13.0`. */
  readonly version: string;
  /** The path of the Node executable. */
  readonly program: string;
}

const run = promisify(execFile);

async function versionOf(program: string): Promise<Release> {
  return { program, version: (await run(program, ['--version'])).stdout.trim() };
}

/** Installs a Node release from the npm registry into a folder that is deleted when the benchmark ends. */
async function fetchRelease(major: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-node-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const name = `node-${process.platform}-${process.arch}`;
  await run('npm', [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    `${name}@${major}`,
  ]);
  return join(folder, 'node_modules', name, 'bin', 'node');
}

/**
 * Finds Node releases. For a major version, returns the running release if it has this version, and otherwise the
 * newest one.
 * @param names major versions (`24`) or paths of Node executables
 */
export async function findReleases(names: readonly string[]): Promise<Release[]> {
  const found: Release[] = [];
  for (const name of names) {
    const isMajor = /^\d+$/.test(name);
    const isRunning = isMajor && process.version.startsWith(`v${name}.`);
    const program = isRunning ? process.execPath : isMajor ? await fetchRelease(name) : resolve(name);
    found.push(await versionOf(program));
  }
  return found;
}
