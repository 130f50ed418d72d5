import { textOfHtml } from '../../converters/texts/html-text.ts';
import type { Columns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { plainAnalysis, type WordAnalysis } from '../../words/atoms.ts';
import { wordsForTypos } from '../../words/typos.ts';
import { WordVector } from '../../words/vector.ts';
import type { DocumentPlace } from '../documents/document-place.ts';

/** The words in documents. */
interface DocumentWords {
  /** Three parameters of a statement: repositories, ids and tsvectors, in the same order. */
  readonly columns: readonly [repositories: string[], ids: string[], words: string[]];
  /** The distinct words of all titles. */
  readonly ofTitles: readonly string[];
}

const textColumns = {
  repository: 'text',
  id: 'uuid',
  title: 'text',
  properties: 'jsonb?',
  values: 'jsonb?',
} as const satisfies Columns;

/** An SQL array of the properties that are not indexed, because their strings are not useful for searches. */
const unsearched = "'{common:icon,common:icon-expanded,picture:info,picture:views}'::text[]";

/**
 * SQL that reads the strings in the documents in the table `changed`. If the properties of a document take more than 64
 * KB in memory, only their first 120,000 values are read (`search_nodes`), and of these only the first million
 * characters.
 */
const textsSql = `
  SELECT d.repository, d.id, d.title,
    CASE WHEN NOT l.is_large THEN d.properties - ${unsearched} END AS properties,
    CASE WHEN l.is_large THEN (
      SELECT coalesce(jsonb_agg(jsonb_build_array(v.name, left(v.value, 1000000)) ORDER BY v.place), '[]') FROM (
        SELECT n.name, n.value #>> '{}' AS value, n.place,
          sum(length(n.value #>> '{}')) OVER (ORDER BY n.place) - length(n.value #>> '{}') AS before
        FROM search_nodes(d.properties - ${unsearched}) WITH ORDINALITY AS n (name, kind, value, place) WHERE n.kind = 'string'
      ) v WHERE v.before < 1000000
    ) END AS values
  FROM changed c JOIN document d ON d.repository = c.repository AND d.id = c.id
  CROSS JOIN LATERAL (
    SELECT pg_column_size(d.properties) > 600 AND pg_column_size(d.properties || '{}') > 65536 AS is_large
  ) l`;

const ofPlaces = statement('texts-of-documents', textColumns)`
  WITH changed AS (SELECT * FROM unnest($1::text[], $2::uuid[]) AS c (repository, id)) ${textsSql}`;

const ofChanges = statement('texts-of-changes', textColumns)`
  WITH changed AS (
    SELECT DISTINCT repository, document_id AS id FROM search_change WHERE id = ANY($1::bigint[])
  ) ${textsSql}`;

interface DocumentTexts extends DocumentPlace {
  readonly title: string;
  readonly properties: unknown;
  readonly values: unknown;
}

/** Whether a string is a date or a digest. These are found by their values rather than by words. */
const isUnsearched = (text: string): boolean =>
  (text.length === 24 && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) ||
  (text.length === 64 && /^[0-9a-f]+$/.test(text));

/**
 * Visits the strings within a value, each with its xpath without list positions. Recursion is safe here, because the
 * depth of stored values is limited.
 */
function* textsIn(value: unknown, xpath: string): Generator<readonly [xpath: string, text: string]> {
  if (typeof value === 'string') yield [xpath, value];
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, xpath);
  else if (typeof value === 'object' && value !== null)
    for (const [name, field] of Object.entries(value))
      yield* textsIn(field, xpath === '' ? name : `${xpath}/${name}`);
}

/** Whether the property contains tags or file names. */
const isName = (xpath: string): boolean => xpath === 'nxtag:tags/label' || xpath.endsWith('/name');

const html = /^(text\/html|application\/xhtml\+xml)\b/;

/** Matches the beginning of HTML, for notes whose `note:mime_type` is not set. */
const looksLikeHtml = /^\s*<(?:!doctype|[a-z][a-z0-9]{0,9}[\s>/])/i;

/** The number of characters at the beginning of a title whose words can be suggested. */
const maxSuggested = 1_000;

/**
 * Returns the words in a document's properties as a tsvector, without the text of its files, and the words in its
 * title.
 */
async function wordsOf(
  { title, properties, values }: DocumentTexts,
  analysis: WordAnalysis,
): Promise<{ readonly words: string; readonly ofTitle: readonly string[] }> {
  const texts = values === null ? [...textsIn(properties, '')] : (values as Array<readonly [string, string]>);
  const noteType = texts.find(([xpath]) => xpath === 'note:mime_type')?.[1] ?? '';
  const vector = new WordVector(analysis);
  const titles = texts.filter(([xpath]) => xpath === 'dc:title').map(([, text]) => text);
  if (titles.length === 0) titles.push(title);
  for (const text of titles) await vector.add(text, { weight: 'A', property: 'dc:title' });
  for (const [xpath, text] of texts) {
    if (xpath === 'dc:title' || isUnsearched(text)) continue;
    const isHtml =
      xpath === 'note:note' && (html.test(noteType) || (noteType === '' && looksLikeHtml.test(text)));
    const shown = isHtml ? await textOfHtml(text) : text;
    await vector.add(shown, { weight: isName(xpath) ? 'B' : 'C', property: xpath });
  }
  const ofTitle = titles.flatMap((text) => wordsForTypos(analysis, text.slice(0, maxSuggested)));
  return { words: vector.toString(), ofTitle };
}

async function wordsOfAll(
  documents: readonly DocumentTexts[],
  analysis: WordAnalysis,
): Promise<DocumentWords> {
  const columns = [[], [], []] as [string[], string[], string[]];
  const ofTitles = new Set<string>();
  for (const document of documents) {
    const { words, ofTitle } = await wordsOf(document, analysis);
    for (const [at, value] of [document.repository, document.id, words].entries()) columns[at]?.push(value);
    for (const word of ofTitle) ofTitles.add(word);
  }
  return { columns, ofTitles: [...ofTitles] };
}

/** Reads documents with one statement and returns their words. Documents that have been deleted are omitted. */
export const wordsOfDocuments = async (
  { query }: Pick<Client, 'query'>,
  [repositories, ids]: readonly [string[], string[]],
  analysis: WordAnalysis = plainAnalysis,
): Promise<DocumentWords> => wordsOfAll(await query(ofPlaces, [repositories, ids]), analysis);

/** Reads the documents that rows of `search_change` refer to, with one statement, and returns their words. */
export const wordsOfChanges = async (
  { query }: Pick<Client, 'query'>,
  changes: readonly string[],
  analysis: WordAnalysis = plainAnalysis,
): Promise<DocumentWords> => wordsOfAll(await query(ofChanges, [changes]), analysis);

/**
 * SQL for a common table expression (CTE) `document_words` that contains the words of documents, from the three
 * parameters in `DocumentWords.columns`.
 * @param first the number of the first of these parameters
 */
export const wordsTable = (first: number): string =>
  `document_words AS (SELECT * FROM unnest($${first}::text[], $${first + 1}::uuid[], $${first + 2}::tsvector[]) AS w (repository, id, words))`;
