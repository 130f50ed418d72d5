import { resolve } from 'node:path';
import { summaryOf } from '../../backup/report.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { openBlobStore } from '../../blobs/open-blob-store.ts';
import { type Config, readConfig } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { replaceTokenKey } from '../../secrets.ts';
import { exitCode } from '../exit-codes.ts';
import { requireFile } from '../require-file.ts';
import { type CommandInput, type Output, runs } from '../run-command.ts';
import { untilInterrupted, withDatabase } from '../services.ts';
import type { QuireCommand } from '../surroundings.ts';

interface Options {
  readonly replace: boolean;
}

/** Restores the key with which OAuth tokens were encrypted. */
async function restoreTokenKey(
  { DATA_DIR, TOKEN_KEY }: Config,
  key: string | undefined,
  { warn }: Output,
): Promise<void> {
  if (key === undefined || key === TOKEN_KEY) return;
  if (TOKEN_KEY === undefined) await replaceTokenKey(DATA_DIR, key);
  else warn('TOKEN_KEY differs from the key of the backup, so its OAuth tokens cannot be used.');
}

async function read(output: Output, { args, options, surroundings }: CommandInput<Options>): Promise<number> {
  const file = resolve(args[0] ?? '');
  const config = readConfig(surroundings.env);
  await requireFile(file);
  const restore = (database: Database) =>
    untilInterrupted(surroundings, async ({ signal, progress }) => {
      const blobs = await openBlobStore(config);
      const restored = await restoreBackup({ database, blobs }, file, {
        signal,
        isReplaced: options.replace,
        onProgress: (counts) =>
          progress.update(counts.rows + counts.blobs, counts.of.rows + counts.of.blobs, summaryOf(counts)),
      });
      progress.stop();
      await restoreTokenKey(config, restored.tokenKey, output);
      return restored;
    });
  const report = await withDatabase(config, surroundings, restore, true);
  if (!report) {
    output.warn('Interrupted; the database is unchanged.');
    return exitCode.interrupted;
  }
  const { rows, blobs, bytes, missing } = report;
  output.result(`Restored ${summaryOf(report)} from ${file}`, { file, rows, blobs, bytes, missing });
  const lines = missing.map((digest) => `  ${digest}`);
  if (lines.length > 0) output.warn(['Missing in the backup:', ...lines].join('\n'));
  return lines.length > 0 ? exitCode.faultsFound : exitCode.done;
}

export function restoreCommand(command: QuireCommand): void {
  command
    .argument('<file>', 'a file written by `quire backup`')
    .option('--replace', 'delete the existing content of the database', false)
    .addHelpText('after', '\nThe settings are those of the server, which must not run at the same time.');
  runs<Options>(command, read);
}
