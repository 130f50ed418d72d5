import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { grantCondition, readableValues, readerStatement } from '../acls/readable-sql.ts';

// Not one of `lists/`, which read and sort every candidate: here an index is walked from one label to the
// next. Without an `acl_id` a label is of a version or of a trashed document.
const within = 't.repository = $1 AND t.acl_id IS NOT NULL AND t.label < $3';

const first = (condition: string): string =>
  `SELECT t.label FROM document_tag t WHERE ${within} AND ${condition} ORDER BY t.label LIMIT 1`;

/** The first 100 documents of a label are tried first, since one of them usually is readable. */
const few = 100;

// The first label, if one of its first documents is readable. If none is, the least of the first labels under
// each readable ACL.
const firstReadable = (condition: string): string => `
  SELECT CASE
    WHEN EXISTS (
      SELECT FROM (
        SELECT t.acl_id FROM document_tag t
        WHERE t.repository = $1 AND t.acl_id IS NOT NULL AND t.label = nearest.label LIMIT ${few}
      ) early WHERE early.acl_id IN (SELECT id FROM readable)
    ) THEN nearest.label
    ELSE (
      SELECT min(own.label) FROM readable CROSS JOIN LATERAL (
        ${first(`t.acl_id = readable.id AND ${condition}`)}
      ) own
    )
  END FROM (${first(condition)}) nearest`;

/** The cost depends on the number of labels, not on the number of documents that have them. */
const known = (next: (condition: string) => string): string => `
  known (label) AS (
    SELECT (${next('t.label >= $2')})
    UNION ALL
    SELECT (${next('t.label > known.label')}) FROM known WHERE known.label IS NOT NULL
  )
  SELECT label FROM known WHERE label IS NOT NULL AND label <> ALL($4::text[]) LIMIT $5::int`;

/** The ACLs of tagged documents, found from one to the next in an index, that grant Read. */
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
  /** In lower case. */
  readonly prefix: string;
  readonly excluded: readonly string[];
  readonly limit: number;
}

/** A prefix with it sorts behind every text that begins with the prefix. */
const last = '\u{10FFFF}';

export const tagLabels =
  ({ db, options, user }: Scope, { now }: Access) =>
  async ({ prefix, excluded, limit }: TagLabelFilter): Promise<string[]> => {
    const [query, readerValues] = readerStatement(user, queries, readableValues(user, 'Read', now));
    const values = [options.repository, prefix, prefix + last, excluded, limit, ...readerValues];
    const rows = await db.query(query, values);
    return rows.map(({ label }) => label);
  };
