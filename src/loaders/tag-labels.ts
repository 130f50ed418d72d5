import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { isGranting, readableValues } from './readable.ts';

/** Administrators read every document; of others', each ACL that there is is looked at once. */
const views = {
  all: { readable: '', isReadable: 'true' },
  readable: {
    readable: `, readable AS MATERIALIZED (
      SELECT a.id FROM effective_acl a WHERE a.repository = $1 AND ${isGranting(6)}
    )`,
    isReadable: 'd.acl_id IN (SELECT id FROM readable)',
  },
};

/** From one label to the next, and of each its documents until one of them may be read. */
function labelsQuery(view: keyof typeof views): Query {
  const { readable, isReadable } = views[view];
  const next = (condition: string): string => `
    SELECT t.label FROM document_tag t WHERE t.repository = $1 AND ${condition} AND t.label < $3
    ORDER BY t.label LIMIT 1`;
  return {
    name: `${view}-tag-labels`,
    text: `
      WITH RECURSIVE known (label) AS (
        (${next('t.label >= $2')})
        UNION ALL
        SELECT further.label FROM known CROSS JOIN LATERAL (${next('t.label > known.label')}) further
      )${readable}
      SELECT known.label FROM known CROSS JOIN LATERAL (
        SELECT FROM document_tag t JOIN document d ON d.repository = t.repository AND d.id = t.document_id
        WHERE t.repository = $1 AND t.label = known.label
          AND NOT d.is_trashed AND NOT d.is_version AND ${isReadable}
        LIMIT 1
      ) document
      WHERE known.label <> ALL($4::text[]) LIMIT $5::int`,
  };
}

const queries = { all: labelsQuery('all'), readable: labelsQuery('readable') };

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
