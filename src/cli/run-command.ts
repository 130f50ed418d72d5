import { consoleOf, type QuireCommand, type Surroundings } from './surroundings.ts';

/** The output of a command. */
export interface Output {
  /** Prints the result to standard output: the text or, with `--json`, the object on one line. */
  result(text: string, json: object): void;
  /** Prints text for people to standard output; nothing with `--json`. */
  say(text: string): void;
  /** Prints to standard error. */
  warn(text: string): void;
}

/** The input of a command. */
export interface CommandInput<Options> {
  readonly args: readonly string[];
  readonly options: Options;
  readonly surroundings: Surroundings;
  /** The command, whose method `error` reports errors of usage. */
  readonly command: QuireCommand;
}

/** The work of a command. @returns the exit code. */
type Work<Options> = (output: Output, input: CommandInput<Options>) => Promise<number>;

const outputOf = (isJson: boolean, console: Console): Output => ({
  result: (text, json) => console.log(isJson ? JSON.stringify(json) : text),
  say: (text) => isJson || console.log(text),
  warn: (text) => console.error(text),
});

/** Sets the work of a command, and adds the option `--json`. */
export function runs<Options>(command: QuireCommand, work: Work<Options>): void {
  command.option('--json', 'prints the result as JSON').action(async () => {
    const { args, surroundings } = command;
    const options = command.opts<Options & { json?: true }>();
    const output = outputOf(options.json === true, consoleOf(surroundings));
    surroundings.exitCode = await work(output, { args, options, surroundings, command });
  });
}

/** A signal that the first Ctrl+C aborts. A second Ctrl+C ends the process. */
export function interruption(surroundings: Surroundings): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) surroundings.once(signal, () => controller.abort());
  return controller.signal;
}
