import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { Tools } from './programs.ts';

interface Run {
  readonly path: string;
  readonly args: readonly string[];
  /** Its home and its folder of temporary files. */
  readonly folder: string;
  /** Seconds of processor time. */
  readonly seconds: number;
  readonly tools: Pick<Tools, 'canIsolate'>;
}

/** Addresses that a program may use, in KiB: four gigabytes, of which it fills a part. */
const mostMemory = 4 * 1024 * 1024;

/** Of each file that a program writes, in the 512 bytes that POSIX counts: half a gigabyte. */
const largestFile = 1024 * 1024;

const mostOutput = 1_000_000; // bytes
const mostComplaint = 2_000;

/** The command within limits, and without a network where that is possible. */
function limited({ path, args, seconds, tools }: Run): [string, string[]] {
  if (process.platform === 'win32') return [path, [...args]];
  // Systems without one of the limits go without it.
  const limits = `ulimit -t ${seconds}; ulimit -v ${mostMemory}; ulimit -f ${largestFile}; ulimit -c 0`;
  const isolated = tools.canIsolate ? ['unshare', '--map-root-user', '--net'] : [];
  return ['/bin/sh', ['-c', `{ ${limits}; } 2>/dev/null; exec "$@"`, 'sh', ...isolated, path, ...args]];
}

interface ProgramOutput {
  readonly output: string;
  /** The last of what it complained of: some programs do, and end as if all were well. */
  readonly complaint: string;
}

/**
 * Runs a program, in the process group of this process, with which it is killed.
 * @throws how it ended, and what it complained of, when it fails.
 */
export async function runProgram(run: Run): Promise<ProgramOutput> {
  const [command, args] = limited(run);
  const child = spawn(command, args, {
    cwd: run.folder,
    env: {
      HOME: run.folder,
      TMPDIR: run.folder,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      OMP_THREAD_LIMIT: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let output = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < mostOutput) output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-mostComplaint);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return { output, complaint: complaint.trim() };
  throw new Error(`${basename(run.path)} ended with ${signal ?? code}: ${complaint.trim() || 'no word'}`);
}
