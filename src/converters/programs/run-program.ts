import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { Tools } from './programs.ts';

interface Run {
  readonly path: string;
  readonly args: readonly string[];
  /** The folder that serves as the home directory and for temporary files. */
  readonly folder: string;
  /** The limit on CPU time, in seconds. */
  readonly seconds: number;
  readonly tools: Pick<Tools, 'canIsolate'>;
}

/** The limit on virtual memory in KiB. Programs usually use only a part of these four gigabytes. */
const maxMemory = 4 * 1024 * 1024;

/** The maximum size of a file that a program can write, in blocks of 512 bytes: half a gigabyte. */
const maxFileBlocks = 1024 * 1024;

const maxOutput = 1_000_000; // in characters
const maxErrorOutput = 2_000;

/** Returns the command that runs a program with resource limits and, if possible, without network access. */
function limited({ path, args, seconds, tools }: Run): [string, string[]] {
  if (process.platform === 'win32') return [path, [...args]];
  // Limits that the system does not support are ignored.
  const limits = `ulimit -t ${seconds}; ulimit -v ${maxMemory}; ulimit -f ${maxFileBlocks}; ulimit -c 0`;
  const isolated = tools.canIsolate ? ['unshare', '--map-root-user', '--net'] : [];
  return ['/bin/sh', ['-c', `{ ${limits}; } 2>/dev/null; exec "$@"`, 'sh', ...isolated, path, ...args]];
}

interface ProgramOutput {
  readonly output: string;
  /** The end of the error output. Some programs exit with code 0 and report a failure only in this output. */
  readonly errorOutput: string;
}

/**
 * Runs a program in this process's group, so that both can be killed together.
 * @throws Error with the exit code and the error output if the program fails.
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
    `${basename(run.path)} exited with ${signal ?? code}: ${errorOutput.trim() || 'no error output'}`,
  );
}
