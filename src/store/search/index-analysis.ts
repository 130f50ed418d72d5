import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { listenerName } from '../../db/notifications.ts';
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

const othersQuery = statement('servers-with-another-analysis', { exist: 'bool' })`
  SELECT EXISTS (
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user
      AND starts_with(application_name, '${listenerName.beginning}') AND application_name <> $1
  ) AS "exist"`;

/**
 * The number of milliseconds between two attempts while another process is building the index, or while servers with
 * another analysis are running.
 */
const retryInterval = 5_000;

/**
 * How long a rebuild waits for servers with another analysis to stop, in milliseconds. This is more than an upgrade of
 * all servers takes. Another installation of Quire in the same database could run for ever.
 */
const maxUpgrade = 3_600_000;

interface IndexBuild {
  readonly analysis: WordAnalysis;
  readonly textTypes: string;
  readonly onStart: () => void;
  readonly onDone: (documents: number) => void;
  readonly onError: (error: unknown) => void;
}

type Opened = Pick<Database, 'query' | 'apart' | 'transaction'>;

/** Waits until no server with another analysis is running, because it would write outdated rows to the new index. */
async function othersToStop(
  { query }: Pick<Database, 'query'>,
  { key }: WordAnalysis,
  signal: AbortSignal,
): Promise<void> {
  for (const end = performance.now() + maxUpgrade; performance.now() < end; ) {
    const [others] = await query(othersQuery, [listenerName.of(key)]);
    if (!others?.exist) return;
    await wait(retryInterval, undefined, { signal, ref: false });
  }
}

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
  await othersToStop(database, analysis, signal);
  if (await isIndexCurrent(database, analysis)) return; // another server has built it
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
