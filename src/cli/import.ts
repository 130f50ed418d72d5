import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { openBlobStore } from '../blobs/blob-store.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../embedded/open-database.ts';
import { Invalid } from '../errors.ts';
import { importFolder } from '../import/import-folder.ts';
import { countBelow, type ProgressDisplay, progressBar, progressLines } from '../import/progress.ts';
import { type Omission, omissionLines, summary } from '../import/report.ts';
import type { ImportScope } from '../import/state.ts';
import { targetAt } from '../import/target.ts';
import { loadModel } from '../model/contributed/contributed.ts';
import { hashPassword } from '../store/authorities/passwords.ts';
import { createStockContent } from '../store/stock/stock-content.ts';
import { interruptedCode, interruption, runCommand } from './run-command.ts';

interface ImportOptions {
  readonly folder: string;
  readonly to: string;
  /** The first of REPOSITORIES when absent. */
  readonly repository: string | undefined;
}

function readCommand(): ImportOptions {
  const command = new Command('import')
    .description('Imports a folder of this computer and everything below it.')
    .argument('<folder>', 'what to import: directories become Folder, texts Note, other files File')
    .option('--to <path>', 'the document below which it is imported', '/default-domain/workspaces')
    .option('--repository <name>', 'the repository it is imported into (default: the first of REPOSITORIES)')
    .addHelpText(
      'after',
      '\nDocuments that exist already are kept, so an interrupted import can be run again.\n' +
        'The settings are those of the server, which may run meanwhile.',
    )
    .parse();
  const { to, repository } = command.opts<{ to: string; repository?: string }>();
  return { folder: resolve(command.args[0] ?? ''), to, repository };
}

async function requireFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) throw new Invalid(`${folder} is no directory`);
  if (folder === '/') throw new Invalid('/ has no name that its document could get');
}

function repositoryOf({ REPOSITORIES }: Config, repository = REPOSITORIES[0] ?? ''): string {
  if (REPOSITORIES.includes(repository)) return repository;
  throw new Invalid(`there is no repository "${repository}", only ${REPOSITORIES.join(', ')}`);
}

/** Migrates the database and creates the stock content, as the server does at its start. */
async function prepare(database: Database, config: Config, repository: string): Promise<ImportScope> {
  const model = await loadModel(config.MODEL_DIR);
  await database.migrate();
  await createStockContent(database, model, {
    repositories: config.REPOSITORIES,
    administrator: { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD },
    hash: hashPassword,
  });
  const blobs = await openBlobStore(join(config.DATA_DIR, 'blobs'));
  return {
    database,
    model,
    blobs,
    repository,
    user: config.ADMIN_USERNAME,
    timeoutSeconds: config.TRANSACTION_TIMEOUT,
    dataFolder: await realpath(config.DATA_DIR),
  };
}

async function progressFor(folder: string): Promise<ProgressDisplay> {
  if (!process.stderr.isTTY) return progressLines((line) => console.error(line));
  return progressBar(await countBelow(folder), process.stderr);
}

/** Imports and prints a summary. @returns the exit code. */
async function run(scope: ImportScope, { folder, to }: ImportOptions): Promise<number> {
  const { repository } = scope;
  const target = await targetAt(scope.database, scope.model, { repository, path: to });
  const start = performance.now();
  const signal = interruption();
  const omissions: Omission[] = [];
  const progress = await progressFor(folder);
  const counts = await importFolder(
    scope,
    { path: folder, target },
    {
      signal,
      onProgress: (now) => progress.update(now),
      onSkipped: (path, reason) => omissions.push({ path, reason }),
    },
  ).finally(() => progress.stop());
  console.log(summary(counts, (performance.now() - start) / 1000));
  if (signal.aborted) console.log('Interrupted; run it again to import the rest.');
  if (omissions.length > 0) console.log(['Not imported:', ...omissionLines(omissions)].join('\n'));
  return signal.aborted ? interruptedCode : 0;
}

async function main(): Promise<number> {
  const options = readCommand();
  const config = readConfig();
  await requireFolder(options.folder);
  const repository = repositoryOf(config, options.repository);
  const { database } = await openDatabase(config);
  try {
    return await run(await prepare(database, config, repository), options);
  } finally {
    await database.close();
  }
}

runCommand(main);
