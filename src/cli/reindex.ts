import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { findTools } from '../converters/programs/programs.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../embedded/open-database.ts';
import { buildIndex } from '../store/search/build-index.ts';
import { compareIndex } from '../store/search/compare-index.ts';
import { askForAllFileWords, typesWithText } from '../store/search/file-words.ts';
import { interruptedCode, interruption, runCommand } from './run-command.ts';

const documentsOfLine = 10_000;

/** Prints a line for every ten thousand documents. */
function progressLines(): (documents: number) => void {
  let lines = 0;
  return (documents) => {
    if (Math.floor(documents / documentsOfLine) === lines) return;
    lines = Math.floor(documents / documentsOfLine);
    console.log(`${documents} documents`);
  };
}

interface Settings {
  /** Which files have text. */
  readonly textTypes: string;
  readonly signal: AbortSignal;
}

async function build(database: Database, settings: Settings): Promise<number> {
  const { documents, isDone } = await buildIndex(database, { ...settings, onProgress: progressLines() });
  if (isDone) {
    console.log(`${documents} documents laid; searches read the new index.`);
    return 0;
  }
  console.log('Interrupted; the next run goes on from here, and searches read the old index until then.');
  return interruptedCode;
}

async function compare(database: Database, isCheck: boolean, settings: Settings): Promise<number> {
  const showDocuments = progressLines();
  const onProgress = ({ documents }: { documents: number }) => showDocuments(documents);
  const { documents, mended } = await compareIndex(database, { ...settings, isCheck, onProgress });
  const found = `${documents} documents compared, ${mended} rows of the index`;
  console.log(isCheck ? `${found} differ.` : `${found} written.`);
  if (settings.signal.aborted) return interruptedCode;
  return isCheck && mended > 0 ? 1 : 0;
}

/** Builds the search index anew, or compares it with the documents; the server may serve meanwhile. */
async function main(): Promise<number> {
  const command = new Command('npm run reindex --')
    .description('Builds the search index anew, beside the one that a running server reads until then.')
    .option(
      '--check',
      'counts the rows that differ from their documents, and exits with 1 if there are any',
      false,
    )
    .option('--mend', 'writes these rows into the index as it is', false)
    .option('--text', 'has the server read all files again, those that could not be read too', false)
    .parse();
  const asked = command.opts<{ check: boolean; mend: boolean; text: boolean }>();
  const config = readConfig();
  const tools = await findTools(config.CONVERTER_FOLDERS, config.OCR_LANGUAGES);
  const { database } = await openDatabase(config);
  try {
    await database.migrate();
    if (asked.text) {
      const files = await askForAllFileWords(database, tools);
      console.log(`${files} files are read again, by the server as soon as it runs.`);
      return 0;
    }
    const types = { textTypes: typesWithText(tools), signal: interruption() };
    return asked.check || asked.mend
      ? await compare(database, asked.check, types)
      : await build(database, types);
  } finally {
    await database.close();
  }
}

runCommand(main);
