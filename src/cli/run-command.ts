import type { Command } from 'commander';

/** Where a command says what it has done. */
export interface Output {
  /** The result, on the standard output: the text, or with `--json` the object on a line of its own. */
  result(text: string, json: object): void;
  /** A line for people, on the standard output; nothing with `--json`. */
  say(text: string): void;
  /** On the standard error. */
  warn(text: string): void;
}

export interface Given<Options> {
  readonly args: readonly string[];
  readonly options: Options;
  /** For errors of usage that the command finds itself: `command.error(…)`. */
  readonly command: Command;
}

/** @returns the exit code. */
export type Work<Options> = (output: Output, given: Given<Options>) => Promise<number>;

const outputOf = (isJson: boolean): Output => ({
  result: (text, json) => console.log(isJson ? JSON.stringify(json) : text),
  say: (text) => isJson || console.log(text),
  warn: (text) => console.error(text),
});

/** Has the command do this work, with an option `--json`. */
export function runs<Options>(command: Command, work: Work<Options>): void {
  command.option('--json', 'prints the result as JSON').action(async () => {
    const options = command.opts<Options & { json?: true }>();
    process.exitCode = await work(outputOf(options.json === true), { args: command.args, options, command });
  });
}

/** Aborted by the first Ctrl+C; a second one ends the process. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort());
  return controller.signal;
}
