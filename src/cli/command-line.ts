import { CommanderError } from 'commander';
import { buildVersion } from '../db/migration-files.ts';
import { commands } from './commands/index.ts';
import { exitCode } from './exit-codes.ts';
import { consoleOf, QuireCommand, type Surroundings } from './surroundings.ts';

/** Settings and models at fault are explained by their message; anything else by what the database says. */
async function explain(error: unknown): Promise<string> {
  const [{ ConfigError }, { startFailureMessage }, { ModelError }] = await Promise.all([
    import('../config.ts'),
    import('../db/errors.ts'),
    import('../model/model-error.ts'),
  ]);
  const isExplained = error instanceof ConfigError || error instanceof ModelError;
  return isExplained ? error.message : startFailureMessage(error);
}

async function codeOf(error: unknown, args: readonly string[], surroundings: Surroundings): Promise<number> {
  const isOfUsage = error instanceof CommanderError;
  if (isOfUsage && error.exitCode === 0) return exitCode.done;
  const message = isOfUsage ? error.message.replace(/^error: /, '') : await explain(error);
  const console = consoleOf(surroundings);
  if (!isOfUsage) console.error(message); // commander has printed its own
  if (args.includes('--json')) console.log(JSON.stringify({ error: message }));
  return isOfUsage ? exitCode.wrongUsage : exitCode.failed;
}

const defaultCommand = 'serve';

/**
 * Runs a command until its end and sets the exit code. Without arguments the command is `serve`, the only one that
 * resolves without an exit code, and goes on.
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<void> {
  const program = new QuireCommand(surroundings, 'quire')
    .description('Quire, a content server. The settings are environment variables: see .env.example.')
    .version(await buildVersion())
    .addHelpText('after', '\nquire COMMAND --help explains a command. Exit codes: docs/operations.md.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => surroundings.stdout.write(text),
      writeErr: (text) => surroundings.stderr.write(text),
    });
  const called = args.find((given) => commands.some(({ name }) => name === given));
  const asked = args.length === 0 ? defaultCommand : called;
  try {
    for (const { name, summary, load } of commands) {
      const command = program
        .command(name, { isDefault: args.length === 0 && name === defaultCommand })
        .description(summary);
      if (name === asked) (await load())(command);
    }
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    surroundings.exitCode = await codeOf(error, args, surroundings);
  }
}
