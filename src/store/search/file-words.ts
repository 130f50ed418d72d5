import { convertersFor, convertibleTypes } from '../../converters/index.ts';
import { noTools, type Tools } from '../../converters/programs/programs.ts';
import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { finishJob, type TakenJob } from '../queue/take-jobs.ts';

export const fileWordsJob = 'index-file';

/** Matches the media types of files that are plain text and need no conversion. */
export const plainText = /^text[/]|^application[/](json|xml|x-ndjson|javascript|yaml|sql)$|[+](json|xml)$/;

/** Returns a PostgreSQL regular expression that matches the media types of files that contain text. */
export function typesWithText(tools: Tools = noTools): string {
  const converted = convertibleTypes('text', tools).map((type) => type.replace(/[.+]/g, '[$&]'));
  return `${plainText.source}|^(${converted.join('|')})$`;
}

/** SQL for the media type of a blob `b`, taken from the properties of its document `d`. */
const mimeType = `d.properties #>> (string_to_array(b.xpath, '/') || '{mimeType}')`;

/**
 * A common table expression (CTE) for a WITH clause. It adds jobs that extract the words from the files of the
 * documents in the table `changed`.
 * @param types the SQL parameter with the result of `typesWithText`, such as `$1`
 */
export const requestedFiles = (types: string): string => `
  requested_files AS (
    INSERT INTO job (kind, once, payload)
    SELECT DISTINCT '${fileWordsJob}', '${fileWordsJob} ' || b.digest, jsonb_build_object('digest', b.digest)
    FROM changed c
    JOIN document_blob b ON b.repository = c.repository AND b.document_id = c.id
    JOIN document d ON d.repository = b.repository AND d.id = b.document_id
    WHERE NOT EXISTS (SELECT FROM file_words f WHERE f.digest = b.digest) AND ${mimeType} ~ ${types}
      AND b.xpath NOT LIKE 'picture:views/%'
    ORDER BY 2 -- a common order, so that two transactions that add jobs for the same files cannot deadlock
    ON CONFLICT (once) DO NOTHING
    RETURNING id
  )`;

type Asking = Pick<Client, 'prisma' | 'query'>;

const typeQuery = statement('type-of-file-with-words', { mimeType: 'text', encoding: 'text?' })`
  SELECT ${mimeType} AS "mimeType", d.properties #>> (string_to_array(b.xpath, '/') || '{encoding}') AS encoding
  FROM document_blob b JOIN document d ON d.repository = b.repository AND d.id = b.document_id
  WHERE b.digest = $1 ORDER BY ${mimeType} ~ $2 DESC LIMIT 1`;

/**
 * Returns the media type and encoding of a file according to one of the documents that contain it, preferably one that
 * states a type with text; undefined if no document contains the file.
 */
export async function typeOfFile(
  db: Asking,
  digest: string,
  types: string,
): Promise<{ readonly mimeType: string; readonly encoding: string | null } | undefined> {
  const [found] = await db.query(typeQuery, [digest, types]);
  return found;
}

const store = statement('store-file-words')`
  INSERT INTO file_words (digest, words) VALUES ($1, $2::tsvector)
  ON CONFLICT (digest) DO UPDATE SET words = EXCLUDED.words`;

const markChanged = statement('mark-documents-with-file')`
  INSERT INTO search_change (repository, document_id)
  SELECT DISTINCT repository, document_id FROM document_blob WHERE digest = $1`;

/**
 * Stores the words of a file and requests that its documents be indexed, in the transaction that ends the job. The job
 * is ended first: a document that gets the file at the same time is either found here, or adds the job again.
 * @param words the result of `StoredConversions.wordsOf`; undefined if no document has the file any more
 */
export async function storeFileWords(
  db: Asking,
  job: TakenJob,
  { digest, words }: { readonly digest: string; readonly words: string | undefined },
): Promise<void> {
  await finishJob(db, job);
  if (words !== undefined) await db.query(store, [digest, words]);
  await db.query(markChanged, [digest]);
}

/** Deletes the words of files that no document has used for the given number of days. */
export const deleteUnusedFileWords = oldRowsDeletion({
  table: 'file_words',
  key: ['digest'],
  since: 'created_at',
  unless: 'EXISTS (SELECT FROM document_blob b WHERE b.digest = file_words.digest)',
});

const askAgain = statement('ask-for-all-file-words')`
  INSERT INTO job (kind, once, payload)
  SELECT DISTINCT '${fileWordsJob}', '${fileWordsJob} ' || b.digest, jsonb_build_object('digest', b.digest)
  FROM document_blob b JOIN document d ON d.repository = b.repository AND d.id = b.document_id
  WHERE ${mimeType} ~ $1
  ON CONFLICT (once) DO NOTHING
  RETURNING id`;

/**
 * Adds jobs that extract the words of all files again, including files for which this has failed.
 * @returns the number of jobs
 */
export async function requestAllFileWords(
  db: Pick<Client, 'prisma' | 'query' | 'announce'>,
  tools: Tools = noTools,
): Promise<number> {
  const named = (makes: 'text' | 'pdf') => ({ in: convertersFor(makes, tools).map(({ name }) => name) });
  // Stored texts are deleted, because a newer version of a converter may find more text. Text is also extracted from
  // PDFs, so the records of failed conversions to PDF are deleted as well.
  const OR = [{ converter: named('text') }, { converter: named('pdf'), digest: null }];
  await db.prisma.rendition.deleteMany({ where: { OR } });
  const requested = await db.query(askAgain, [typesWithText(tools)]);
  await db.announce('jobs');
  return requested.length;
}
