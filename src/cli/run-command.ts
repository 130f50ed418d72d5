import { ConfigError } from '../config.ts';
import { startFailureMessage } from '../db/errors.ts';
import { ModelError } from '../model/model-error.ts';

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
