import { consoleOf, type QuireCommand, type Surroundings } from './surroundings.ts';

/** Prints the output of a command. */
export interface Output {
  /** Prints the result to standard output: as text or, with `--json`, as an object on one line. */
  result(text: string, json: object): void;
  /** Prints text for human readers to standard output. With `--json`, prints nothing. */
  say(text: string): void;
  /** Prints to standard error. */
  warn(text: string): void;
}

/** The input of a command. */
export interface CommandInput<Options> {
  readonly args: readonly string[];
  readonly options: Options;
  readonly surroundings: Surroundings;
  /** The command. Its method `error` reports usage errors. */
  readonly command: QuireCommand;
}

/** The function that runs a command. @returns the exit code */
type Work<Options> = (output: Output, input: CommandInput<Options>) => Promise<number>;

const outputOf = (isJson: boolean, console: Console): Output => ({
  result: (text, json) => console.log(isJson ? JSON.stringify(json) : text),
  say: (text) => isJson || console.log(text),
  warn: (text) => console.error(text),
});

/** Sets the action of a command, and adds the option `--json`. */
export function runs<Options>(command: QuireCommand, work: Work<Options>): void {
  command.option('--json', 'prints the result as JSON').action(async () => {
    const { args, surroundings } = command;
    const options = command.opts<Options & { json?: true }>();
    const output = outputOf(options.json === true, consoleOf(surroundings));
    surroundings.exitCode = await work(output, { args, options, surroundings, command });
  });
}

/** Returns a signal that is aborted by the first Ctrl+C. A second Ctrl+C terminates the process. */
export function interruption(surroundings: Surroundings): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) surroundings.once(signal, () => controller.abort());
  return controller.signal;
}
