import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { showProgress, summaryOf } from '../backup/progress.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { openBlobStore } from '../blobs/blob-store.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../embedded/open-database.ts';
import { Conflict } from '../errors.ts';
import { storedTokenKey } from '../secrets.ts';
import { interruptedCode, interruption, runCommand } from './run-command.ts';

/** The exit code of a backup that lacks blobs, because the blob store does. */
const incompleteCode = 2;

function readCommand(): { file: string; force: boolean } {
  const command = new Command('npm run backup --')
    .description('Writes all data into one file: the rows of the database, and the blobs they refer to.')
    .argument('<file>', 'the file to write, readable by its owner alone: it has secrets in it')
    .option('--force', 'replaces the file if it exists', false)
    .addHelpText('after', '\nThe settings are those of the server, which may run and write meanwhile.')
    .parse();
  return { file: resolve(command.args[0] ?? ''), force: command.opts<{ force: boolean }>().force };
}

async function main(): Promise<number> {
  const { file, force } = readCommand();
  const config = readConfig();
  const { DATA_DIR, TOKEN_KEY } = config;
  if (existsSync(file) && !force) throw new Conflict(`${file} exists: choose another name, or add --force`);
  const { database } = await openDatabase(config);
  const signal = interruption();
  const progress = showProgress(process.stderr);
  try {
    const blobs = await openBlobStore(config);
    const tokenKey = TOKEN_KEY === undefined ? await storedTokenKey(DATA_DIR) : undefined;
    const source = { database, blobs, tokenKey };
    const report = await writeBackup(source, file, { signal, onProgress: progress.update });
    progress.stop();
    console.log(`Backed up ${summaryOf(report)} to ${file}`);
    const lines = report.missing.map((digest) => `  ${digest}`);
    if (lines.length > 0) console.error(['Missing or damaged in the blob store:', ...lines].join('\n'));
    return lines.length > 0 ? incompleteCode : 0;
  } catch (error) {
    progress.stop();
    if (!signal.aborted) throw error;
    console.error('Interrupted; there is no backup.');
    return interruptedCode;
  } finally {
    await database.close();
  }
}

runCommand(main);
