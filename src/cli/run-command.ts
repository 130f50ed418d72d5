import { consoleOf, type QuireCommand, type Surroundings } from './surroundings.ts';

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
  readonly surroundings: Surroundings;
  /** For errors of usage that the command finds itself: `command.error(…)`. */
  readonly command: QuireCommand;
}

/** @returns the exit code. */
type Work<Options> = (output: Output, given: Given<Options>) => Promise<number>;

const outputOf = (isJson: boolean, console: Console): Output => ({
  result: (text, json) => console.log(isJson ? JSON.stringify(json) : text),
  say: (text) => isJson || console.log(text),
  warn: (text) => console.error(text),
});

/** Has the command do this work, with an option `--json`. */
export function runs<Options>(command: QuireCommand, work: Work<Options>): void {
  command.option('--json', 'prints the result as JSON').action(async () => {
    const { args, surroundings } = command;
    const options = command.opts<Options & { json?: true }>();
    const output = outputOf(options.json === true, consoleOf(surroundings));
    surroundings.exitCode = await work(output, { args, options, surroundings, command });
  });
}

/** Aborted by the first Ctrl+C; a second one ends the process. */
export function interruption(surroundings: Surroundings): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) surroundings.once(signal, () => controller.abort());
  return controller.signal;
}
