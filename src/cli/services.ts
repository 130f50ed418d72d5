import { resolve } from 'node:path';
import { openBlobStore } from '../blobs/open-blob-store.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { hasEmbedded, openDatabase } from '../embedded/open-database.ts';
import { loadExtensions } from '../extensions/load.ts';
import { extensionModels, extensionPageProviders } from '../extensions/loaded.ts';
import { loadModel } from '../model/contributed/contributed.ts';
import { setJsonValuesLimit } from '../model/values/json-budget.ts';
import { createSecrets, tokenKeyOf } from '../secrets.ts';
import { formsOf } from '../selection/compatibility.ts';
import type { Services } from '../services.ts';
import { hashPassword } from '../store/authorities/passwords.ts';
import { createStockContent } from '../store/stock/stock-content.ts';
import { type Progress, showProgress } from './progress.ts';
import { interruption } from './run-command.ts';
import { consoleOf, type Surroundings } from './surroundings.ts';

/**
 * Loads the extensions, opens the configured database, calls a function, and closes the database. Prints a warning if
 * this creates a new database, because that may mean that DATA_DIR is wrong.
 * @param isFirst whether a new database is expected, because the command is often the first one that users run
 */
export async function withDatabase<Result>(
  config: Config,
  surroundings: Surroundings,
  work: (database: Database) => Promise<Result>,
  isFirst = false,
): Promise<Result> {
  if (!isFirst && config.DATABASE_URL === undefined && !hasEmbedded(config.DATA_DIR))
    consoleOf(surroundings).error(
      `There is no database in ${resolve(config.DATA_DIR)}, so a new one is created. To use another one, set DATA_DIR.`,
    );
  await loadExtensions(config.EXTENSIONS);
  const { database } = await openDatabase(config);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The services that commands use to read and write documents and users. */
export type CommandServices = Pick<
  Services,
  'blobs' | 'config' | 'database' | 'identityProviders' | 'markdownType' | 'model' | 'secrets'
>;

/**
 * Opens the services, after migrating the database and creating the default content as a server does at startup. Unlike
 * a server, it does not create an account if ADMIN_USERNAME has changed.
 * @throws ModelError, ConfigError
 */
export async function openCommandServices(config: Config, database: Database): Promise<CommandServices> {
  setJsonValuesLimit(config.JSON_VALUES_LIMIT);
  const model = await loadModel(config.MODEL_DIR, extensionModels(), extensionPageProviders());
  await database.migrate();
  await createStockContent(database, model, {
    repositories: config.REPOSITORIES,
    administrator: { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD },
    hash: hashPassword,
    isAdded: false,
  });
  return {
    config,
    database,
    model,
    blobs: await openBlobStore(config),
    secrets: createSecrets(await tokenKeyOf(config.TOKEN_KEY, config.DATA_DIR), config.JWT_SECRET),
    identityProviders: [],
    markdownType: formsOf(config.COMPATIBILITY).markdownType,
  };
}

/**
 * Runs a function and shows its progress.
 * @returns undefined if the user interrupted it with Ctrl+C
 */
export async function untilInterrupted<Report>(
  surroundings: Surroundings,
  work: (use: { readonly signal: AbortSignal; readonly progress: Progress }) => Promise<Report>,
): Promise<Report | undefined> {
  const signal = interruption(surroundings);
  const progress = showProgress(surroundings.stderr);
  try {
    return await work({ signal, progress });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    progress.stop();
  }
}
