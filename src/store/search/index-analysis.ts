import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Unavailable } from '../../errors.ts';
import type { WordAnalysis } from '../../words/atoms.ts';
import { buildIndex } from './build-index.ts';
import { requestAllFileWords } from './file-words.ts';

const stateQuery = statement('analysis-of-search-index', { isCurrent: 'bool' })`
  SELECT coalesce((SELECT analysis = $1 FROM search_state), false) AS "isCurrent"`;

const markQuery = statement('mark-analysis-of-new-index')`
  INSERT INTO search_state (changes, analysis) SELECT 0, $1 WHERE NOT EXISTS (SELECT FROM document)
  ON CONFLICT (is_only) DO UPDATE SET analysis = EXCLUDED.analysis`;

/** Records the word analysis of the index in a new database, which has no documents yet. */
export const markNewIndex = async (
  { query }: Pick<Database, 'query'>,
  { key }: WordAnalysis,
): Promise<void> => void (await query(markQuery, [key]));

/** Returns whether the index was built with this word analysis. Otherwise, the server rebuilds it. */
export const isIndexCurrent = async (
  { query }: Pick<Database, 'query'>,
  { key }: WordAnalysis,
): Promise<boolean> => (await query(stateQuery, [key]))[0]?.isCurrent ?? false;

/** The number of milliseconds between two attempts while another process is building the index. */
const retryInterval = 5_000;

interface IndexBuild {
  readonly analysis: WordAnalysis;
  readonly textTypes: string;
  readonly onStart: () => void;
  readonly onDone: (documents: number) => void;
  readonly onError: (error: unknown) => void;
}

type Opened = Pick<Database, 'query' | 'apart' | 'transaction'>;

/**
 * Rebuilds the index if it was built with another word analysis, which is the case after an upgrade or a change of
 * SEARCH_LANGUAGE. In the meantime, searches use the old index and find the words on which both analyses agree. If the
 * server stops during the rebuild, the rebuild is continued at the next start.
 */
async function renewIndex(
  database: Opened,
  { analysis, textTypes, onStart, onDone }: IndexBuild,
  signal: AbortSignal,
): Promise<void> {
  if (await isIndexCurrent(database, analysis)) return;
  onStart();
  await database.transaction(60, (client) => requestAllFileWords(client));
  const { documents, isDone } = await buildIndex(database, {
    analysis,
    textTypes,
    onProgress: () => {},
    signal,
  });
  if (isDone) onDone(documents);
}

/** Runs `renewIndex` in the background. @returns a function that stops it. */
export function keepIndexAnalysis(database: Opened, build: IndexBuild): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        return await renewIndex(database, build, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Unavailable)) build.onError(error);
        await wait(retryInterval, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  };
  const running = run();
  return async () => {
    closing.abort();
    await running;
  };
}
