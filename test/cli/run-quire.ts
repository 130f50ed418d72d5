import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { run } from '../db/processes.ts';

export interface Ended {
  readonly code: number | string | null | undefined;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command of `quire` in this process, with these settings and no others: a process of its own takes a second to
 * load the modules. Each command has a test that starts one.
 */
export async function quire(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const surroundings = Object.assign(new EventEmitter(), {
    env,
    stdin: new PassThrough().end(input),
    stdout,
    stderr,
    exitCode: undefined as Ended['code'],
  });
  const printed = [text(stdout), text(stderr)] as const;
  await runCommandLine(args, surroundings);
  stdout.end();
  stderr.end();
  const [out, err] = await Promise.all(printed);
  return { code: surroundings.exitCode, out, err };
}

/** The same in a process of its own. */
export async function quireProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const { ended, printed } = run('src/cli/quire.ts', env, [...args], undefined, input);
  const { code } = await ended;
  return { code, ...printed };
}
