import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { grantCondition, readableValues, readerStatement } from '../acls/readable-sql.ts';

// Finds the distinct labels of readable documents. PostgreSQL has no skip scan, so a plain DISTINCT would read the rows
// of all tagged documents. Instead, recursive tables walk through an index from one distinct value to the next, with
// one lookup per step. Rows without an `acl_id` belong to versions and trashed documents.
const within = 't.repository = $1 AND t.acl_id IS NOT NULL AND t.label < $3';

const first = (condition: string): string =>
  `SELECT t.label FROM document_tag t WHERE ${within} AND ${condition} ORDER BY t.label LIMIT 1`;

/** The number of documents with a label that are tried first, because one of them is usually readable. */
const triedDocuments = 100;

// Selects the first label that a readable document has. `nearest` is the first label of any document. If one of the
// first documents with that label is readable, the label is the result. Otherwise, the first label is looked up for
// each readable ACL, and the result is the first of those labels.
const firstReadable = (condition: string): string => `
  SELECT CASE
    WHEN EXISTS (
      SELECT FROM (
        SELECT t.acl_id FROM document_tag t
        WHERE t.repository = $1 AND t.acl_id IS NOT NULL AND t.label = nearest.label LIMIT ${triedDocuments}
      ) early WHERE early.acl_id IN (SELECT id FROM readable)
    ) THEN nearest.label
    ELSE (
      SELECT min(own.label) FROM readable CROSS JOIN LATERAL (
        ${first(`t.acl_id = readable.id AND ${condition}`)}
      ) own
    )
  END FROM (${first(condition)}) nearest`;

/**
 * A recursive table of all labels in order, from which the requested labels are selected. The cost depends on the
 * number of labels, not on the number of documents that have them.
 * @param next returns a query for the first label that meets a condition
 */
const known = (next: (condition: string) => string): string => `
  known (label) AS (
    SELECT (${next('t.label >= $2')})
    UNION ALL
    SELECT (${next('t.label > known.label')}) FROM known WHERE known.label IS NOT NULL
  )
  SELECT label FROM known WHERE label IS NOT NULL AND label <> ALL($4::text[]) LIMIT $5::int`;

/**
 * The table expression `readable`, which contains the ACLs of tagged documents that grant Read. The recursive table
 * `governing` walks from one distinct ACL to the next in an index.
 */
const readable = `
  governing (id) AS (
    SELECT (SELECT t.acl_id FROM document_tag t WHERE t.repository = $1 AND t.acl_id IS NOT NULL ORDER BY t.acl_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT t.acl_id FROM document_tag t WHERE t.repository = $1 AND t.acl_id > governing.id ORDER BY t.acl_id LIMIT 1
    ) FROM governing WHERE governing.id IS NOT NULL
  ), readable AS MATERIALIZED (
    SELECT a.id FROM effective_acl a
    WHERE a.repository = $1 AND a.id IN (SELECT id FROM governing) AND ${grantCondition(6)}
  )`;

const queries = {
  all: statement('all-tag-labels', { label: 'text' })`WITH RECURSIVE ${known(first)}`,
  readable: statement('readable-tag-labels', {
    label: 'text',
  })`WITH RECURSIVE ${readable}, ${known(firstReadable)}`,
};

interface TagLabelFilter {
  /** The beginning of the labels to find, in lowercase. */
  readonly prefix: string;
  readonly excluded: readonly string[];
  readonly limit: number;
}

/** The highest Unicode code point. A prefix followed by it sorts after every string that begins with the prefix. */
const last = '\u{10FFFF}';

/** Reads the first labels of readable documents that begin with the given prefix. */
export const tagLabels =
  ({ db, options, user }: Scope, { now }: Access) =>
  async ({ prefix, excluded, limit }: TagLabelFilter): Promise<string[]> => {
    const [query, readerValues] = readerStatement(user, queries, readableValues(user, 'Read', now));
    const values = [options.repository, prefix, prefix + last, excluded, limit, ...readerValues];
    const rows = await db.query(query, values);
    return rows.map(({ label }) => label);
  };
