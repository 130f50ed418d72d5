import { CommanderError } from 'commander';
import { buildVersion } from '../db/migration-files.ts';
import { commands } from './commands/index.ts';
import { exitCode } from './exit-codes.ts';
import { consoleOf, QuireCommand, type Surroundings } from './surroundings.ts';

/**
 * Returns the message for an error: the error's own message if the settings or the model are invalid, or an explanation
 * if the database has failed.
 */
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
  if (!isOfUsage) console.error(message); // Commander has already printed usage errors.
  if (args.includes('--json')) console.log(JSON.stringify({ error: message }));
  return isOfUsage ? exitCode.wrongUsage : exitCode.failed;
}

const defaultCommand = 'serve';

/**
 * Runs a command and sets the exit code. Without arguments, the command is `serve`. For `serve`, this function returns
 * without setting an exit code, because the server continues to run.
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
  const named = args.find((arg) => commands.some(({ name }) => name === arg));
  const requested = args.length === 0 ? defaultCommand : named;
  try {
    for (const { name, summary, load } of commands) {
      const command = program
        .command(name, { isDefault: args.length === 0 && name === defaultCommand })
        .description(summary);
      if (name === requested) (await load())(command);
    }
    if (requested === undefined && surroundings.env.EXTENSIONS)
      await (await import('./commands/extension.ts')).addExtensionCommands(program, surroundings);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    surroundings.exitCode = await codeOf(error, args, surroundings);
  }
}
