import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { isGranting, readableValues } from './readable.ts';

/** Labels of documents that are neither versions nor in the trash, which `acl_id` tells. */
const within = 't.repository = $1 AND t.acl_id IS NOT NULL AND t.label < $3';

/** The first label of those that fit. */
const first = (condition: string): string =>
  `SELECT t.label FROM document_tag t WHERE ${within} AND ${condition} ORDER BY t.label LIMIT 1`;

/** Documents of a label that are looked at before all ACLs are asked. */
const few = 100;

/** The first label, if one of its first documents may be read; else of the first labels of all ACLs that may, the first. */
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

/** From one label to the next, so that it does not matter how many documents have it. */
const known = (next: (condition: string) => string): string => `
  known (label) AS (
    SELECT (${next('t.label >= $2')})
    UNION ALL
    SELECT (${next('t.label > known.label')}) FROM known WHERE known.label IS NOT NULL
  )
  SELECT label FROM known WHERE label IS NOT NULL AND label <> ALL($4::text[]) LIMIT $5::int`;

/** Of the ACLs of tagged documents, from one to the next, those that grant Read. */
const readable = `
  governing (id) AS (
    SELECT (SELECT t.acl_id FROM document_tag t WHERE t.repository = $1 AND t.acl_id IS NOT NULL ORDER BY t.acl_id LIMIT 1)
    UNION ALL
    SELECT (
      SELECT t.acl_id FROM document_tag t WHERE t.repository = $1 AND t.acl_id > governing.id ORDER BY t.acl_id LIMIT 1
    ) FROM governing WHERE governing.id IS NOT NULL
  ), readable AS MATERIALIZED (
    SELECT a.id FROM effective_acl a
    WHERE a.repository = $1 AND a.id IN (SELECT id FROM governing) AND ${isGranting(6)}
  )`;

/** Administrators read every document. */
const queries: Readonly<Record<'all' | 'readable', Query>> = {
  all: { name: 'all-tag-labels', text: `WITH RECURSIVE ${known(first)}` },
  readable: { name: 'readable-tag-labels', text: `WITH RECURSIVE ${readable}, ${known(firstReadable)}` },
};

/** Which labels are wanted. */
export interface LabelsWish {
  /** What they begin with, in lower case. */
  readonly prefix: string;
  /** Labels that are not wanted. */
  readonly without: readonly string[];
  readonly most: number;
}

/** Behind everything that begins with a text, byte by byte. */
const last = '\u{10FFFF}';

/** The first labels, in order, with which a document is tagged that the caller may read. */
export const tagLabels =
  ({ db, options, user }: Scope, { now }: Access) =>
  async ({ prefix, without, most }: LabelsWish): Promise<string[]> => {
    const values = [options.repository, prefix, prefix + last, without, most];
    const rows = user.isAdministrator
      ? await db.query<{ label: string }>(queries.all, values)
      : await db.query<{ label: string }>(queries.readable, [
          ...values,
          ...readableValues(user, 'Read', now),
        ]);
    return rows.map(({ label }) => label);
  };
