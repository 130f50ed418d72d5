import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { openDatabase } from '../embedded/open-database.ts';
import { askForAllFileWords } from '../store/search/file-words.ts';
import { rebuildIndex } from '../store/search/rebuild-index.ts';
import { interruptedCode, interruption, runCommand } from './run-command.ts';

const documentsOfLine = 10_000;

/** Compares the search index with the documents, and mends it; the server may serve meanwhile. */
async function main(): Promise<number> {
  const command = new Command('npm run reindex --')
    .description(
      'Brings the search index up to date with the documents; beside the running server, if there is one.',
    )
    .option('--check', 'counts the differences only, and exits with 1 when there are any', false)
    .option('--text', 'has the server read all files again, those that could not be read too', false)
    .parse();
  const { check: isCheck, text: isText } = command.opts<{ check: boolean; text: boolean }>();
  const { database } = await openDatabase(readConfig());
  const signal = interruption();
  try {
    await database.migrate();
    if (isText) {
      const files = await askForAllFileWords(database);
      console.log(`${files} files are read again, by the server as soon as it runs.`);
      return 0;
    }
    let lines = 0;
    const { documents, mended } = await rebuildIndex(database, {
      isCheck,
      signal,
      onProgress: (progress) => {
        if (Math.floor(progress.documents / documentsOfLine) === lines) return;
        lines = Math.floor(progress.documents / documentsOfLine);
        console.log(`${progress.documents} documents`);
      },
    });
    const found = `${documents} documents compared, ${mended} rows of the index`;
    console.log(isCheck ? `${found} differ.` : `${found} written.`);
    if (signal.aborted) {
      if (!isCheck) console.log('Interrupted; the next run goes on from here.');
      return interruptedCode;
    }
    return isCheck && mended > 0 ? 1 : 0;
  } finally {
    await database.close();
  }
}

runCommand(main);
