import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { summaryOf } from '../../backup/report.ts';
import { writeBackup } from '../../backup/write-backup.ts';
import { openBlobStore } from '../../blobs/open-blob-store.ts';
import { readConfig } from '../../config.ts';
import { Conflict } from '../../errors.ts';
import { storedTokenKey } from '../../secrets.ts';
import { recordBackup } from '../../store/probes/backups.ts';
import { exitCode } from '../exit-codes.ts';
import { type CommandInput, type Output, runs } from '../run-command.ts';
import { untilInterrupted, withDatabase } from '../services.ts';
import type { QuireCommand } from '../surroundings.ts';

interface Options {
  readonly force: boolean;
}

/**
 * Logs a backup, from which `quire doctor` learns when the last one was made. If the tables are those of an older
 * release or cannot be written, the backup is valid nevertheless.
 */
async function logBackup(
  database: Parameters<typeof recordBackup>[0],
  backup: Parameters<typeof recordBackup>[1],
  warn: Output['warn'],
): Promise<void> {
  try {
    await recordBackup(database, backup);
  } catch (error) {
    warn(`The backup could not be logged: ${(error as Error).message}`);
  }
}

async function write(
  { result, warn }: Output,
  { args, options, surroundings }: CommandInput<Options>,
): Promise<number> {
  const file = resolve(args[0] ?? '');
  const config = readConfig(surroundings.env);
  const { DATA_DIR, TOKEN_KEY } = config;
  if (existsSync(file) && !options.force)
    throw new Conflict(`${file} exists. Choose another name, or add --force.`);
  const report = await withDatabase(config, surroundings, async (database) => {
    const startedAt = new Date();
    const written = await untilInterrupted(surroundings, async ({ signal, progress }) => {
      const blobs = await openBlobStore(config);
      const tokenKey = TOKEN_KEY === undefined ? await storedTokenKey(DATA_DIR) : undefined;
      return writeBackup({ database, blobs, tokenKey }, file, {
        signal,
        onProgress: (counts) =>
          progress.update(counts.rows + counts.blobs, counts.of.rows + counts.of.blobs, summaryOf(counts)),
      });
    });
    if (written) await logBackup(database, { principal: config.ADMIN_USERNAME, file, startedAt }, warn);
    return written;
  });
  if (!report) {
    warn('Interrupted; no backup was written.');
    return exitCode.interrupted;
  }
  const { rows, blobs, bytes, missing } = report;
  result(`Backed up ${summaryOf(report)} to ${file}`, { file, rows, blobs, bytes, missing });
  if (missing.length === 0) return exitCode.done;
  warn(['Missing or damaged in the blob store:', ...missing.map((digest) => `  ${digest}`)].join('\n'));
  return exitCode.faultsFound;
}

export function backupCommand(command: QuireCommand): void {
  command
    .argument('<file>', 'the file to write; only its owner can read it, because it contains secrets')
    .option('--force', 'replace the file if it exists', false)
    .addHelpText('after', '\nThe settings are those of the server, which can run at the same time.');
  runs<Options>(command, write);
}
