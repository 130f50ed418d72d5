import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { isGranting, readableValues } from './readable.ts';

/** Administrators read every document; of others', the ACL is looked at for as many documents as it takes. */
const documents = {
  all: '',
  readable: 'JOIN effective_acl a ON a.repository = d.repository AND a.id = d.acl_id',
};

/** From one label to the next, so that a label costs the same however many documents have it. */
function labelsQuery(view: keyof typeof documents): Query {
  const next = (condition: string): string => `
    SELECT t.label FROM document_tag t
    JOIN document d ON d.repository = t.repository AND d.id = t.document_id ${documents[view]}
    WHERE t.repository = $1 AND ${condition} AND t.label < $3 AND t.label <> ALL($4::text[])
      AND NOT d.is_trashed AND NOT d.is_version ${view === 'readable' ? `AND ${isGranting(6)}` : ''}
    ORDER BY t.label LIMIT 1`;
  return {
    name: `${view}-tag-labels`,
    text: `
      WITH RECURSIVE found (label) AS (
        (${next('t.label >= $2')})
        UNION ALL
        SELECT further.label FROM found CROSS JOIN LATERAL (${next('t.label > found.label')}) further
      )
      SELECT label FROM found LIMIT $5::int`,
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
