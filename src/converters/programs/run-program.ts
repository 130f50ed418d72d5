import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { Tools } from './programs.ts';

interface Run {
  readonly path: string;
  readonly args: readonly string[];
  /** The home directory and the directory for temporary files. */
  readonly folder: string;
  /** The limit of processor time, in seconds. */
  readonly seconds: number;
  readonly tools: Pick<Tools, 'canIsolate'>;
}

/** The limit of virtual memory, in KiB: four gigabytes, of which a program normally uses a part. */
const maxMemory = 4 * 1024 * 1024;

/** The limit of the size of files that a program writes, in blocks of 512 bytes: half a gigabyte. */
const maxFileBlocks = 1024 * 1024;

const maxOutput = 1_000_000; // characters
const maxErrorOutput = 2_000;

/** The command that runs a program with resource limits and, if possible, without access to the network. */
function limited({ path, args, seconds, tools }: Run): [string, string[]] {
  if (process.platform === 'win32') return [path, [...args]];
  // A limit that the system does not support is ignored.
  const limits = `ulimit -t ${seconds}; ulimit -v ${maxMemory}; ulimit -f ${maxFileBlocks}; ulimit -c 0`;
  const isolated = tools.canIsolate ? ['unshare', '--map-root-user', '--net'] : [];
  return ['/bin/sh', ['-c', `{ ${limits}; } 2>/dev/null; exec "$@"`, 'sh', ...isolated, path, ...args]];
}

interface ProgramOutput {
  readonly output: string;
  /** The end of its error output. Some programs report a failure only there, and exit with 0. */
  readonly errorOutput: string;
}

/**
 * Runs a program in the process group of this process, so that it is killed together with this process.
 * @throws Error with its exit code and error output if it fails.
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
  let errorOutput = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < maxOutput) output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-maxErrorOutput);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return { output, errorOutput: errorOutput.trim() };
  throw new Error(
    `${basename(run.path)} ended with ${signal ?? code}: ${errorOutput.trim() || 'it printed no reason'}`,
  );
}
