import { availableParallelism } from 'node:os';
import { InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../../config.ts';
import { findTools } from '../../converters/programs/programs.ts';
import type { Database } from '../../db/database.ts';
import { wordAnalysisOf } from '../../open-services.ts';
import { buildIndex } from '../../store/search/build-index.ts';
import { compareIndex } from '../../store/search/compare-index.ts';
import { requestAllFileWords, typesWithText } from '../../store/search/file-words.ts';
import type { WordAnalysis } from '../../words/atoms.ts';
import { exitCode } from '../exit-codes.ts';
import { showProgress } from '../progress.ts';
import { type CommandInput, interruption, type Output, runs } from '../run-command.ts';
import { withDatabase } from '../services.ts';
import type { QuireCommand, Surroundings } from '../surroundings.ts';

interface Options {
  readonly check: boolean;
  readonly repair: boolean;
  readonly text: boolean;
  readonly connections?: number;
}

interface Settings {
  /** The media types of the files from which text can be extracted. */
  readonly textTypes: string;
  readonly analysis: WordAnalysis;
  readonly signal: AbortSignal;
  readonly stderr: Surroundings['stderr'];
}

function connectionsOf(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be an integer from 1 to 999.');
}

/**
 * Returns the default number of connections: one per core, but at most half the number that a server uses.
 */
const defaultConnections = (ofServer: number): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(ofServer / 2)));

async function build(
  { result }: Output,
  database: Database,
  settings: Settings & { readonly connections: number },
): Promise<number> {
  const progress = showProgress(settings.stderr);
  const onProgress = (count: number) => progress.update(0, 1, `${count} documents`);
  const { documents, isDone } = await buildIndex(database, { ...settings, onProgress }).finally(() =>
    progress.stop(),
  );
  result(
    isDone
      ? `${documents} documents indexed; searches use the new index.`
      : 'Interrupted; the next run continues from here, and searches use the old index until then.',
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
  const progress = showProgress(settings.stderr);
  const compared = await compareIndex(database, {
    ...settings,
    isCheck,
    onProgress: ({ documents }) => progress.update(0, 1, `${documents} documents`),
  }).finally(() => progress.stop());
  const { documents, differing } = compared;
  const found = `${documents} documents compared, ${differing} rows of the index`;
  if (isCheck) result(`${found} differ.`, { documents, differ: differing });
  else result(`${found} written.`, { documents, written: differing });
  if (settings.signal.aborted) return exitCode.interrupted;
  return isCheck && differing > 0 ? exitCode.faultsFound : exitCode.done;
}

async function work(output: Output, { options, surroundings }: CommandInput<Options>): Promise<number> {
  const { check, repair, text, connections } = options;
  const config = readConfig(surroundings.env);
  const tools = await findTools(config.CONVERTER_FOLDERS, config.OCR_LANGUAGES);
  return withDatabase(config, surroundings, async (database) => {
    await database.migrate();
    if (text) {
      const files = await requestAllFileWords(database, tools);
      output.result(`Files that the server will read again: ${files}`, { files });
      return exitCode.done;
    }
    const settings = {
      textTypes: typesWithText(tools),
      analysis: await wordAnalysisOf(config),
      signal: interruption(surroundings),
      stderr: surroundings.stderr,
    };
    if (check || repair) return compare(output, database, check, settings);
    const used = connections ?? defaultConnections(config.DATABASE_CONNECTIONS);
    return build(output, database, { ...settings, connections: used });
  });
}

export function reindexCommand(command: QuireCommand): void {
  command
    .addOption(
      new Option(
        '--check',
        'count the rows that differ from their documents, and exit with 3 if there are any',
      ).default(false),
    )
    .addOption(
      new Option('--repair', 'write the rows that differ to the existing index')
        .default(false)
        .conflicts('check'),
    )
    .addOption(
      new Option(
        '--text',
        'let the server read the text of all files again, including those that could not be read',
      )
        .default(false)
        .conflicts(['check', 'repair']),
    )
    .addOption(
      new Option(
        '--connections <number>',
        'the number of concurrent connections (default: one per core, at most half of DATABASE_CONNECTIONS)',
      )
        .argParser(connectionsOf)
        .conflicts(['check', 'repair', 'text']),
    );
  runs<Options>(command, work);
}
