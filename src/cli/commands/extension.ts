import { pino } from 'pino';
import { type Config, readConfig } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { ContributedCommand } from '../../extension.ts';
import { ExtensionError, inExtension } from '../../extensions/guarded.ts';
import { loadExtensions } from '../../extensions/load.ts';
import { extensions, type LoadedExtension } from '../../extensions/loaded.ts';
import { administrator } from '../../security/principal.ts';
import { exitCode } from '../exit-codes.ts';
import { type CommandInput, type Output, runs } from '../run-command.ts';
import { withDatabase } from '../services.ts';
import type { QuireCommand, Surroundings } from '../surroundings.ts';

interface Requested {
  readonly extension: LoadedExtension;
  readonly contributed: ContributedCommand;
  readonly args: readonly string[];
  readonly stderr: Surroundings['stderr'];
}

async function runInServices(
  config: Config,
  database: Database,
  { extension, contributed, args, stderr }: Requested,
): Promise<string> {
  const { openServices } = await import('../../open-services.ts');
  const log = pino({ level: 'warn' }, stderr);
  const { runAs, close } = await openServices(config, database, {
    log,
    isReady: () => true,
    isServing: false,
  });
  const [repository = 'default'] = config.REPOSITORIES;
  const part = { extension, part: `the command ${contributed.name}`, isLong: true };
  try {
    return await runAs(administrator(config.ADMIN_USERNAME), repository)('mutation', (context) =>
      inExtension(context, part, async (own) => {
        const text = (await contributed.run(args, own)) ?? '';
        if (typeof text !== 'string') throw new ExtensionError('It must return a string, or nothing.');
        return text;
      }),
    );
  } finally {
    await close();
  }
}

const work =
  (extension: LoadedExtension, contributed: ContributedCommand) =>
  async (output: Output, { args, surroundings }: CommandInput<object>): Promise<number> => {
    const config = readConfig(surroundings.env);
    const { stderr } = surroundings;
    try {
      const result = await withDatabase(config, surroundings, (database) =>
        runInServices(config, database, { extension, contributed, args, stderr }),
      );
      output.result(result, { result });
      return exitCode.done;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      output.warn(error.message);
      return exitCode.failed;
    }
  };

/** Adds the commands of the extensions named in EXTENSIONS. @throws ConfigError if an extension cannot be loaded */
export async function addExtensionCommands(program: QuireCommand, { env }: Surroundings): Promise<void> {
  await loadExtensions(readConfig(env).EXTENSIONS);
  for (const extension of extensions()) {
    if (!extension.commands?.length) continue;
    const group = program
      .command(extension.name)
      .description(`Runs a command of the extension ${extension.name}.`);
    for (const contributed of extension.commands) {
      const command = group.command(contributed.name).description(contributed.summary);
      if (contributed.arguments !== undefined) command.arguments(contributed.arguments);
      runs<object>(command, work(extension, contributed));
    }
  }
}
