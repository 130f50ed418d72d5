import { Command, CommanderError } from 'commander';
import { commands } from './commands/index.ts';
import { exitCode } from './exit-codes.ts';

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

async function codeOf(error: unknown): Promise<number> {
  // Commander has printed its errors already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.wrongUsage;
  const message = await explain(error);
  console.error(message);
  if (process.argv.includes('--json')) console.log(JSON.stringify({ error: message }));
  return exitCode.failed;
}

/** `serve` alone resolves without an exit code: the process goes on. */
async function main(): Promise<void> {
  const program = new Command('quire')
    .description('Quire, a content server. The settings are environment variables: see .env.example.')
    .addHelpText('after', '\nquire COMMAND --help explains a command. Exit codes: docs/command-line.md.')
    .exitOverride();
  const asked = process.argv.slice(2).find((given) => commands.some(({ name }) => name === given));
  for (const { name, summary, load } of commands) {
    const command = program.command(name).description(summary);
    if (name === asked) (await load())(command);
  }
  await program.parseAsync();
}

main().then(
  () => process.exitCode !== undefined && process.exit(),
  async (error: unknown) => process.exit(await codeOf(error)),
);
