import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { summaryOf } from '../../backup/report.ts';
import { writeBackup } from '../../backup/write-backup.ts';
import { openBlobStore } from '../../blobs/open-blob-store.ts';
import { readConfig } from '../../config.ts';
import { Conflict } from '../../errors.ts';
import { storedTokenKey } from '../../secrets.ts';
import { exitCode } from '../exit-codes.ts';
import { type Output, runs } from '../run-command.ts';
import { untilInterrupted } from '../until-interrupted.ts';

async function write({ result, warn }: Output, file: string, isReplaced: boolean): Promise<number> {
  const config = readConfig();
  const { DATA_DIR, TOKEN_KEY } = config;
  if (existsSync(file) && !isReplaced)
    throw new Conflict(`${file} exists: choose another name, or add --force`);
  const report = await untilInterrupted(config, async ({ database, signal, progress }) => {
    const blobs = await openBlobStore(config);
    const tokenKey = TOKEN_KEY === undefined ? await storedTokenKey(DATA_DIR) : undefined;
    return writeBackup({ database, blobs, tokenKey }, file, {
      signal,
      onProgress: (counts) =>
        progress.update(counts.rows + counts.blobs, counts.of.rows + counts.of.blobs, summaryOf(counts)),
    });
  });
  if (!report) {
    warn('Interrupted; there is no backup.');
    return exitCode.interrupted;
  }
  const { rows, blobs, bytes, missing } = report;
  result(`Backed up ${summaryOf(report)} to ${file}`, { file, rows, blobs, bytes, missing });
  if (missing.length === 0) return exitCode.done;
  warn(['Missing or damaged in the blob store:', ...missing.map((digest) => `  ${digest}`)].join('\n'));
  return exitCode.faultsFound;
}

export function backupCommand(command: Command): void {
  command
    .argument('<file>', 'the file to write, readable by its owner alone: it has secrets in it')
    .option('--force', 'replaces the file if it exists', false)
    .addHelpText('after', '\nThe settings are those of the server, which may run and write meanwhile.');
  runs<{ force: boolean }>(command, (output, { args, options }) =>
    write(output, resolve(args[0] ?? ''), options.force),
  );
}
