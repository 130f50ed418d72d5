import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { showProgress, summaryOf } from '../backup/progress.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { openBlobStore } from '../blobs/blob-store.ts';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../embedded/open-database.ts';
import { replaceTokenKey } from '../secrets.ts';
import { interruptedCode, interruption, runCommand } from './run-command.ts';

function readCommand(): { file: string; isReplaced: boolean } {
  const command = new Command('npm run restore --')
    .description('Reads a file of `npm run backup` into an empty database and the blob store.')
    .argument('<file>', 'the backup')
    .option('--replace', 'deletes what is in the database, if it is not empty', false)
    .addHelpText('after', '\nThe settings are those of the server, which must not run meanwhile.')
    .parse();
  const { replace } = command.opts<{ replace: boolean }>();
  return { file: resolve(command.args[0] ?? ''), isReplaced: replace };
}

/** Puts the key back by which OAuth tokens were encrypted. */
async function restoreTokenKey({ DATA_DIR, TOKEN_KEY }: Config, key: string | undefined): Promise<void> {
  if (key === undefined || key === TOKEN_KEY) return;
  if (TOKEN_KEY === undefined) await replaceTokenKey(DATA_DIR, key);
  else console.error('TOKEN_KEY is set, and is not the key of the backup: its OAuth tokens are lost.');
}

async function main(): Promise<number> {
  const { file, isReplaced } = readCommand();
  const config = readConfig();
  await stat(file);
  const { database } = await openDatabase(config);
  const signal = interruption();
  const progress = showProgress(process.stderr);
  try {
    const blobs = await openBlobStore(config);
    const options = { signal, onProgress: progress.update, isReplaced };
    const report = await restoreBackup({ database, blobs }, file, options);
    progress.stop();
    await restoreTokenKey(config, report.tokenKey);
    console.log(`Restored ${summaryOf(report)} from ${file}`);
    const lines = report.missing.map((digest) => `  ${digest}`);
    if (lines.length > 0) console.error(['Not in the backup:', ...lines].join('\n'));
    return 0;
  } catch (error) {
    progress.stop();
    if (!signal.aborted) throw error;
    console.error('Interrupted; the database is unchanged.');
    return interruptedCode;
  } finally {
    await database.close();
  }
}

runCommand(main);
