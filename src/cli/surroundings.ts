import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import { Command } from 'commander';

/** The parts of the process that commands use. Tests replace them with their own. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  exitCode?: number | string | null | undefined;
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  once(signal: NodeJS.Signals, listener: () => void): unknown;
}

/** A command that passes its surroundings on to its subcommands. */
export class QuireCommand extends Command {
  readonly surroundings: Surroundings;

  constructor(surroundings: Surroundings, name?: string) {
    super(name);
    this.surroundings = surroundings;
  }

  override createCommand(name?: string): QuireCommand {
    return new QuireCommand(this.surroundings, name);
  }
}

/**
 * Creates a console that writes to the streams. Unlike the streams, it ignores the error that occurs if a reader
 * such as `head` exits early.
 */
export const consoleOf = ({ stdout, stderr }: Surroundings): Console => new Console({ stdout, stderr });
