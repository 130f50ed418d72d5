import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { programArguments, type Running } from '../db/processes.ts';

const mayMount = (flags: string[]): boolean =>
  spawnSync('unshare', [...flags, 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt']).status === 0;

/** Whether the tests run as root and can mount a small disk that is visible only to their processes. */
export const mayMountAsRoot = mayMount(['-m']);

/**
 * The arguments with which `unshare` gives a process its own small disk; undefined if the system does not permit this.
 */
export const unshare = [['-m'], ['-Urm']].find(mayMount);

export interface OnSmallDisk extends Running {
  /** The path of the disk as seen from outside the process. */
  readonly disk: string;
}

/**
 * Starts the server with its data folder on a disk of `megabytes` MB.
 * @param before a shell command that runs first, with the server's command line as `"$0" "$@"`
 */
export async function runOnSmallDisk(
  folder: string,
  megabytes: number,
  settings: Record<string, string>,
  before = 'true',
): Promise<OnSmallDisk> {
  await mkdir(folder, { recursive: true });
  const script = `mount -t tmpfs -o size=${megabytes}m,mode=711 tmpfs '${folder}' && { ${before}; } && exec "$0" "$@"`;
  const program = [process.execPath, ...programArguments('src/serve.ts')];
  const child = spawn('unshare', [...(unshare ?? []), 'sh', '-c', script, ...program], {
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'info', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    printed.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed.err += chunk.toString();
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return { child, printed, ended, disk: `/proc/${child.pid}/root${folder}` };
}

export const linesOf = ({
  printed,
}: Running): Array<{ msg: string; count?: number; err?: unknown; level: number }> =>
  printed.out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
