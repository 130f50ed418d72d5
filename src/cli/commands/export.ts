import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readConfig } from '../../config.ts';
import { Conflict } from '../../errors.ts';
import { type ExportReport, exportTree } from '../../export/export-tree.ts';
import { withoutTrailing } from '../../model/trailing.ts';
import { exitCode } from '../exit-codes.ts';
import { repositoryOf } from '../repository.ts';
import { type CommandInput, type Output, runs } from '../run-command.ts';
import { openCommandServices, untilInterrupted, withDatabase } from '../services.ts';
import type { QuireCommand } from '../surroundings.ts';

interface Options {
  readonly path: string;
  readonly repository?: string;
}

async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [];
  });
  if (names.length > 0) throw new Conflict(`${folder} is not empty. Choose another folder.`);
}

function tell({ result, warn }: Output, folder: string, report: ExportReport): number {
  const { documents, files, leftOut, missing } = report;
  const left = Object.entries(leftOut).filter(([, count]) => count > 0);
  const lines = [
    `${documents} documents and ${files} files have been exported to ${folder}`,
    ...left.map(
      ([what, count]) => `Left out: ${count} ${what === 'trash' ? 'documents in the trash' : what}`,
    ),
  ];
  result(lines.join('\n'), { folder, ...report });
  if (missing.length === 0) return exitCode.done;
  warn(['Missing in the blob store:', ...missing.map((digest) => `  ${digest}`)].join('\n'));
  return exitCode.faultsFound;
}

async function work(output: Output, { args, options, surroundings }: CommandInput<Options>): Promise<number> {
  const folder = resolve(args[0] ?? '');
  const { path, repository } = options;
  const config = readConfig(surroundings.env);
  const from = repositoryOf(config, repository);
  await requireEmpty(folder);
  const source = { repository: from, path: path === '/' ? path : withoutTrailing(path, '/'), folder };
  const report = await withDatabase(config, surroundings, (database) =>
    untilInterrupted(surroundings, async ({ signal, progress }) =>
      exportTree(await openCommandServices(config, database), source, {
        signal,
        onProgress: (documents, files) => progress.update(0, 1, `${documents} documents, ${files} files`),
      }),
    ),
  );
  if (report) return tell(output, folder, report);
  output.warn(`Interrupted; the export in ${folder} is incomplete.`);
  return exitCode.interrupted;
}

export function exportCommand(command: QuireCommand): void {
  command
    .argument('<folder>', 'the target: a new or empty folder')
    .option('--path <path>', 'the document to export, with everything below it', '/default-domain/workspaces')
    .option('--repository <name>', 'the repository of the document (default: the first of REPOSITORIES)')
    .addHelpText(
      'after',
      '\n`quire import FOLDER` creates the same tree from it. Versions, proxies, comments and documents in the trash\n' +
        'are left out. The settings are those of the server, which can run at the same time.',
    );
  runs<Options>(command, work);
}
