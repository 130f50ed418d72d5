import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { pino } from 'pino';
import { type Config, readConfig } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { Invalid } from '../../errors.ts';
import { linesFile } from '../../export/format.ts';
import { countBelow } from '../../import/count-below.ts';
import { importFolder } from '../../import/import-folder.ts';
import { type ExportedSource, exportedFolder } from '../../import/jsonl/exported-files.ts';
import { importLines, type LineCounts, type LineImportContext } from '../../import/jsonl/import-lines.ts';
import { lineSummary } from '../../import/jsonl/report.ts';
import { type Omission, omissionLines, readableBytes, seenIn, summary } from '../../import/report.ts';
import type { ImportContext } from '../../import/state.ts';
import { targetAt } from '../../import/target.ts';
import { administrator } from '../../security/principal.ts';
import { hasListeners } from '../../store/extensions/before-write.ts';
import { exitCode } from '../exit-codes.ts';
import { showProgress } from '../progress.ts';
import { repositoryOf } from '../repository.ts';
import { requireFile } from '../require-file.ts';
import { type CommandInput, interruption, type Output, runs } from '../run-command.ts';
import { openCommandServices, withDatabase } from '../services.ts';
import type { QuireCommand, Surroundings } from '../surroundings.ts';

interface Options {
  readonly jsonl?: string;
  readonly to: string;
  /** The name of the repository; by default the first of REPOSITORIES. */
  readonly repository?: string;
  readonly skipExisting: boolean;
  readonly stored: boolean;
}

interface Lines {
  /** The path of the file; `-` means standard input. */
  readonly jsonl: string;
  readonly from?: ExportedSource;
}

/** Determines what to import: a folder of files, or JSON lines, which may come from an export. */
async function sourceOf({
  args,
  options,
  command,
}: CommandInput<Options>): Promise<{ folder: string } | Lines> {
  const { jsonl, skipExisting, stored } = options;
  const [folder] = args;
  if (jsonl !== undefined && folder !== undefined)
    command.error('error: specify either a folder or --jsonl, not both');
  if (jsonl !== undefined) return { jsonl };
  if (folder === undefined) return command.error("error: missing required argument 'folder'");
  if (stored)
    command.error(
      'error: --stored requires --jsonl; the values in exports are always accepted as they were stored',
    );
  const exported = await exportedFolder(resolve(folder));
  if (exported) {
    const to = command.getOptionValueSource('to') === 'cli' ? options.to : undefined;
    return { jsonl: join(exported.folder, linesFile), from: { ...exported, to } };
  }
  if (skipExisting) command.error('error: --skip-existing requires --jsonl or an export');
  return { folder: resolve(folder) };
}

async function requireFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) throw new Invalid(`${folder} is not a directory.`);
  if (folder === '/')
    throw new Invalid('The root directory / cannot be imported, because its document would have no name.');
}

const secondsSince = (start: number): number => (performance.now() - start) / 1000;

/** Imports JSON lines and prints a summary, even if the import fails. @returns the exit code */
async function runLines(
  { result, warn }: Output,
  context: LineImportContext,
  { jsonl: file, from }: Lines,
  { options: { skipExisting, stored }, surroundings }: CommandInput<Options>,
): Promise<number> {
  const [start, signal] = [performance.now(), interruption(surroundings)];
  const counts: LineCounts = { created: 0, existing: 0, line: 0 };
  const progress = showProgress(surroundings.stderr);
  const input = file === '-' ? surroundings.stdin : createReadStream(file, { highWaterMark: 262_144 });
  try {
    await importLines(context, input, counts, {
      skipsExisting: skipExisting,
      signal,
      ...(from && { from }),
      ...(stored && { areStored: stored }),
      onProgress: ({ created, existing, line }) =>
        progress.update(0, 1, `line ${line}: ${created} created, ${existing} already existed`),
    });
  } finally {
    progress.stop();
    const seconds = secondsSince(start);
    result(lineSummary(counts, seconds), { ...counts, seconds });
  }
  if (signal.aborted) warn('Interrupted; run it again with --skip-existing to import the rest.');
  return signal.aborted ? exitCode.interrupted : exitCode.done;
}

/** Imports a folder and prints a summary. @returns the exit code. */
async function runFolder(
  { result, say, warn }: Output,
  context: ImportContext,
  folder: string,
  { options: { to }, surroundings }: CommandInput<Options>,
): Promise<number> {
  const { repository } = context;
  const target = await targetAt(context.database, context.model, { repository, path: to });
  const [start, signal] = [performance.now(), interruption(surroundings)];
  const omissions: Omission[] = [];
  const progress = showProgress(surroundings.stderr);
  const total = surroundings.stderr.isTTY ? await countBelow(folder) : 0;
  const counts = await importFolder(
    context,
    { path: folder, target },
    {
      signal,
      onProgress: (now) => progress.update(seenIn(now), total, readableBytes(now.bytes)),
      onSkipped: (path, reason) => omissions.push({ path, reason }),
    },
  ).finally(() => progress.stop());
  const seconds = secondsSince(start);
  result(summary(counts, seconds), { ...counts, seconds, notImported: omissions });
  if (omissions.length > 0) say(['Not imported:', ...omissionLines(omissions)].join('\n'));
  if (signal.aborted) warn('Interrupted; run it again to import the rest.');
  return signal.aborted ? exitCode.interrupted : exitCode.done;
}

/** Opens what the listeners of extensions need: the GraphQL schema, and all services of a server. */
async function openListeners(config: Config, database: Database, { stderr }: Surroundings) {
  const { openServices } = await import('../../open-services.ts');
  const { runAs, close } = await openServices(config, database, {
    log: pino({ level: 'warn' }, stderr),
    isReady: () => true,
    isServing: false,
  });
  const runIn =
    (repository: string): NonNullable<ImportContext['listening']> =>
    (run) =>
      runAs(administrator(config.ADMIN_USERNAME), repository)('mutation', run);
  return { runIn, close };
}

async function work(output: Output, input: CommandInput<Options>): Promise<number> {
  const { options, surroundings } = input;
  const source = await sourceOf(input);
  const config = readConfig(surroundings.env);
  if ('folder' in source) await requireFolder(source.folder);
  else if (source.jsonl !== '-') await requireFile(source.jsonl);
  const repository = repositoryOf(config, options.repository);
  const areStored = 'jsonl' in source && (options.stored || source.from !== undefined);
  return withDatabase(
    config,
    surroundings,
    async (database) => {
      const services = await openCommandServices(config, database);
      if (areStored && hasListeners())
        output.warn(
          'The listeners of extensions do not run, because the documents are imported as they were stored.',
        );
      const isListening = hasListeners() && !areStored;
      const listeners = isListening ? await openListeners(config, database, surroundings) : undefined;
      const context = {
        ...services,
        repository,
        user: config.ADMIN_USERNAME,
        dataFolder: await realpath(config.DATA_DIR),
        listening: listeners?.runIn(repository),
      };
      try {
        return 'folder' in source
          ? await runFolder(output, context, source.folder, input)
          : await runLines(output, context, source, input);
      } finally {
        await listeners?.close();
      }
    },
    true,
  );
}

export function importCommand(command: QuireCommand): void {
  command
    .argument(
      '[folder]',
      'the folder to import: an export, or any folder, whose directories become Folder, texts Note, and other files File',
    )
    .addOption(
      new Option(
        '--jsonl <file>',
        'import the documents in a file instead, with one JSON object per line; - is standard input',
      ).conflicts('to'),
    )
    .addOption(
      new Option('--skip-existing', 'with --jsonl or an export: leave existing documents unchanged').default(
        false,
      ),
    )
    .addOption(
      new Option(
        '--stored',
        'with --jsonl: accept values as they were stored, for lines of the bulk action jsonlExport',
      ).default(false),
    )
    .option(
      '--to <path>',
      'the document below which to import; without this option, an export is restored to its original path',
      '/default-domain/workspaces',
    )
    .option('--repository <name>', 'the target repository (default: the first of REPOSITORIES)')
    .addHelpText(
      'after',
      '\nAn interrupted import of a folder can be repeated, because existing documents are left unchanged. For lines,\n' +
        'use --skip-existing.\n' +
        'The settings are those of the server, which can run at the same time.',
    );
  runs<Options>(command, work);
}
