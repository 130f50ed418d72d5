import { InvalidArgumentError } from 'commander';
import { readIdentityFile } from '../../auth/identity-file.ts';
import { openBlobStore } from '../../blobs/open-blob-store.ts';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { findTools } from '../../converters/programs/programs.ts';
import type { Database } from '../../db/database.ts';
import { startFailureMessage } from '../../db/errors.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import type { Finding, Installation } from '../../doctor/check.ts';
import { checkNames, type Diagnosis, examine, opensOnce } from '../../doctor/doctor.ts';
import { hasEmbedded, openDatabase } from '../../embedded/open-database.ts';
import { loadExtensions } from '../../extensions/load.ts';
import { extensionModels } from '../../extensions/loaded.ts';
import { requireValidQueries } from '../../loaders/search/valid-queries.ts';
import { loadModel } from '../../model/contributed/contributed.ts';
import { wordAnalysisOf } from '../../open-services.ts';
import { exitCode } from '../exit-codes.ts';
import { type CommandInput, type Output, runs } from '../run-command.ts';
import type { QuireCommand, Surroundings } from '../surroundings.ts';

/** Adds the check named by an argument to those named by earlier arguments. */
function addCheck(name: string, before: readonly string[] = []): readonly string[] {
  if (checkNames.includes(name)) return [...before, name];
  throw new InvalidArgumentError(`The valid checks are ${checkNames.join(', ')}.`);
}

/** Opens the database. Unlike other commands, it neither creates an embedded database nor migrates the tables. */
async function openExisting(config: Config): Promise<Database> {
  if (config.DATABASE_URL === undefined && !hasEmbedded(config.DATA_DIR))
    throw new Error(`There is no database in ${config.DATA_DIR} yet. The server creates it when it starts.`);
  try {
    const { database } = await openDatabase(config);
    try {
      await database.ping();
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    throw new Error(startFailureMessage(error), { cause: error });
  }
}

/** Returns the installation that the settings describe. Its parts are opened without changing anything. */
function installationOf(config: Config, { env }: Surroundings, opened: Database[]): Installation {
  const parts = opensOnce({
    extensions: () => loadExtensions(config.EXTENSIONS),
    model: async () => {
      await parts.extensions();
      const model = await loadModel(config.MODEL_DIR, extensionModels());
      await requireValidQueries(model);
      return model;
    },
    identityProviders: async () => readIdentityFile(config, await parts.model()),
    database: async () => {
      const database = await openExisting(config);
      opened.push(database);
      return database;
    },
    tables: async () => {
      const database = await parts.database();
      await parts.extensions(); // They can have tables of their own.
      const pending = await pendingMigrations(database);
      if (pending === undefined) throw new Error('The database has no tables yet.');
      if (pending.length > 0) throw new Error(`The database lacks these migrations: ${pending.join(', ')}.`);
      return database;
    },
    blobs: () => openBlobStore(config),
    tools: () => findTools(config.CONVERTER_FOLDERS, config.OCR_LANGUAGES),
    wordAnalysis: () => wordAnalysisOf(config),
  });
  return { ...parts, config, env, isServing: false };
}

const settingFault = (message: string): Finding => ({
  level: 'fault',
  problem: message,
  reason: 'The server does not start with an invalid setting. Nothing else was checked.',
  remedy: 'Correct the setting. .env.example explains it.',
});

async function diagnoses(
  surroundings: Surroundings,
  names: readonly string[],
): Promise<readonly Diagnosis[]> {
  let config: Config;
  try {
    config = readConfig(surroundings.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: 'settings', findings: error.message.split('\n').map(settingFault) }];
  }
  const opened: Database[] = [];
  try {
    return await examine(installationOf(config, surroundings, opened), names);
  } finally {
    for (const database of opened) await database.close();
  }
}

function textOf({ check, findings, skipped }: Diagnosis): string {
  if (skipped !== undefined) return `${check}: ${skipped}`;
  if (findings.length === 0) return `${check}: no findings`;
  return findings
    .map(
      ({ level, problem, reason, remedy }) =>
        `${check}: ${level}: ${problem}\n  ${reason}\n  To do: ${remedy}`,
    )
    .join('\n');
}

async function work(output: Output, { args, surroundings }: CommandInput<object>): Promise<number> {
  const results = await diagnoses(surroundings, args.length > 0 ? args : checkNames);
  for (const result of results) output.result(textOf(result), result);
  const findings = results.flatMap((result) => result.findings);
  const faults = findings.filter(({ level }) => level === 'fault').length;
  const advice = findings.length - faults;
  output.result(`Faults: ${faults}, advice: ${advice}`, { faults, advice });
  return faults > 0 ? exitCode.faultsFound : exitCode.done;
}

export function doctorCommand(command: QuireCommand): void {
  command
    .argument('[checks...]', `what to check: ${checkNames.join(', ')} (default: all)`, addCheck)
    .addHelpText(
      'after',
      '\nThe settings are those of the server, which can run at the same time. Nothing is changed. The exit code is 3 if there are faults.',
    );
  runs<object>(command, work);
}
