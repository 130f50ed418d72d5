import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { programArguments, type Running } from '../db/processes.ts';

const mayMount = (flags: string[]): boolean =>
  spawnSync('unshare', [...flags, 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt']).status === 0;

/** Whether root's own processes may have a small disk that nothing else sees. */
export const mayMountAsRoot = mayMount(['-m']);

/** How a process gets such a disk, which ends with it; undefined where it may not. */
export const unshare = [['-m'], ['-Urm']].find(mayMount);

export interface OnSmallDisk extends Running {
  /** The disk, as the process sees it. */
  readonly disk: string;
}

/**
 * Starts the server with a folder on a disk of so many megabytes.
 * @param before a shell command that runs first, with the server as `"$0" "$@"`.
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
