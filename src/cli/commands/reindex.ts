import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { findTools } from '../../converters/programs/programs.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../embedded/open-database.ts';
import { buildIndex } from '../../store/search/build-index.ts';
import { compareIndex } from '../../store/search/compare-index.ts';
import { askForAllFileWords, typesWithText } from '../../store/search/file-words.ts';
import { exitCode } from '../exit-codes.ts';
import { showProgress } from '../progress.ts';
import { interruption, type Output, runs } from '../run-command.ts';

interface Options {
  readonly check: boolean;
  readonly mend: boolean;
  readonly text: boolean;
}

interface Settings {
  /** Which files have text. */
  readonly textTypes: string;
  readonly signal: AbortSignal;
}

async function build({ result }: Output, database: Database, settings: Settings): Promise<number> {
  const progress = showProgress();
  const onProgress = (count: number) => progress.update(0, 1, `${count} documents`);
  const { documents, isDone } = await buildIndex(database, { ...settings, onProgress }).finally(() =>
    progress.stop(),
  );
  result(
    isDone
      ? `${documents} documents laid; searches read the new index.`
      : 'Interrupted; the next run goes on from here, and searches read the old index until then.',
    { documents, isDone },
  );
  return isDone ? exitCode.done : exitCode.interrupted;
}

async function compare(
  { result }: Output,
  database: Database,
  isCheck: boolean,
  settings: Settings,
): Promise<number> {
  const progress = showProgress();
  const compared = await compareIndex(database, {
    ...settings,
    isCheck,
    onProgress: ({ documents }) => progress.update(0, 1, `${documents} documents`),
  }).finally(() => progress.stop());
  const { documents, mended } = compared;
  const found = `${documents} documents compared, ${mended} rows of the index`;
  if (isCheck) result(`${found} differ.`, { documents, differ: mended });
  else result(`${found} written.`, { documents, written: mended });
  if (settings.signal.aborted) return exitCode.interrupted;
  return isCheck && mended > 0 ? exitCode.faultsFound : exitCode.done;
}

async function work(output: Output, { check, mend, text }: Options): Promise<number> {
  const config = readConfig();
  const tools = await findTools(config.CONVERTER_FOLDERS, config.OCR_LANGUAGES);
  const { database } = await openDatabase(config);
  try {
    await database.migrate();
    if (text) {
      const files = await askForAllFileWords(database, tools);
      output.result(`${files} files are read again, by the server as soon as it runs.`, { files });
      return exitCode.done;
    }
    const settings = { textTypes: typesWithText(tools), signal: interruption() };
    return check || mend
      ? await compare(output, database, check, settings)
      : await build(output, database, settings);
  } finally {
    await database.close();
  }
}

export function reindexCommand(command: Command): void {
  command
    .option(
      '--check',
      'counts the rows that differ from their documents, and exits with 3 if there are any',
      false,
    )
    .option('--mend', 'writes these rows into the index as it is', false)
    .option('--text', 'has the server read all files again, those that could not be read too', false);
  runs<Options>(command, (output, { options }) => work(output, options));
}
