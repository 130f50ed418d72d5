import { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../embedded/open-database.ts';
import { buildIndex } from '../store/search/build-index.ts';
import { compareIndex } from '../store/search/compare-index.ts';
import { askForAllFileWords } from '../store/search/file-words.ts';
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

async function build(database: Database, signal: AbortSignal): Promise<number> {
  const { documents, isDone } = await buildIndex(database, { signal, onProgress: progressLines() });
  if (isDone) {
    console.log(`${documents} documents laid; searches read the new index.`);
    return 0;
  }
  console.log('Interrupted; the next run goes on from here, and searches read the old index until then.');
  return interruptedCode;
}

async function compare(database: Database, isCheck: boolean, signal: AbortSignal): Promise<number> {
  const showDocuments = progressLines();
  const onProgress = ({ documents }: { documents: number }) => showDocuments(documents);
  const { documents, mended } = await compareIndex(database, { isCheck, signal, onProgress });
  const found = `${documents} documents compared, ${mended} rows of the index`;
  console.log(isCheck ? `${found} differ.` : `${found} written.`);
  if (signal.aborted) return interruptedCode;
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
  const { database } = await openDatabase(readConfig());
  try {
    await database.migrate();
    if (asked.text) {
      const files = await askForAllFileWords(database);
      console.log(`${files} files are read again, by the server as soon as it runs.`);
      return 0;
    }
    const signal = interruption();
    return asked.check || asked.mend
      ? await compare(database, asked.check, signal)
      : await build(database, signal);
  } finally {
    await database.close();
  }
}

runCommand(main);
