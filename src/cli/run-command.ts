import { ConfigError } from '../config.ts';
import { startFailureMessage } from '../db/errors.ts';
import { ModelError } from '../model/model-error.ts';

/** The exit code that shells expect of an interrupted command. */
export const interruptedCode = 130;

/** Aborted by the first Ctrl+C; a second one ends the process. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** Runs a command and ends the process with its exit code, or with 1 after printing why it failed. */
export function runCommand(main: () => Promise<number>): void {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      const isExplained = error instanceof ConfigError || error instanceof ModelError;
      console.error(isExplained ? error.message : startFailureMessage(error));
      process.exit(1);
    },
  );
}
