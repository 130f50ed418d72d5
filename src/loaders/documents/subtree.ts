import { modelColumns, type RowWith, typed } from '../../db/columns.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
// Functions that read subtrees for the command line's exports, without checking permissions.

import { readByCursor } from '../../db/copy/read-tables.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { NamedAcl } from '../../security/acl.ts';
import type { DocumentRow } from './document-row.ts';

/** A document in the form that exports contain, including its own ACLs. */
export type ExportedDocument = RowWith<typeof exportedDocument>;

type Root = Pick<DocumentRow, 'repository' | 'id'>;

/** The number of documents that are held in memory at a time. */
const batchSize = 200;

const subtree = `d.repository = $1 AND (d.id = $2::uuid OR d.ancestor_ids @> ARRAY[$2::uuid])`;

// Selects the documents that an export contains. The root is omitted, because it exists in every repository that
// imports the export.
const isRead = `${subtree} AND d.parent_id IS NOT NULL
  AND NOT d.is_version AND NOT d.is_proxy AND NOT d.is_trashed AND d.type <> ALL($3::text[])`;

const exportedDocument = {
  ...modelColumns('Document', 'path', 'type', 'facets', 'state'),
  properties: typed<StoredProperties>('jsonb'),
  acls: typed<readonly NamedAcl[] | null>('jsonb?'),
};

// Parents come before their children, and children are in the order of their positions.
const documents = `
  SELECT d.path, d.type, d.facets, d.state, d.properties, a.acls
  FROM document d LEFT JOIN document_acl a ON a.repository = d.repository AND a.document_id = d.id
  WHERE ${isRead}
  ORDER BY cardinality(d.ancestor_ids), d.parent_id, d.position, d.id`;

/**
 * Reads the documents in a subtree in batches, omitting versions, proxies and trashed documents.
 * @param withoutTypes types whose documents are also omitted
 */
export const readSubtree = (
  client: Pick<Client, 'query'>,
  { repository, id }: Root,
  withoutTypes: readonly string[],
): AsyncGenerator<ExportedDocument[]> =>
  readByCursor(client, documents, exportedDocument, batchSize, [repository, id, withoutTypes]);

const digests = `
  SELECT DISTINCT b.digest
  FROM document d JOIN document_blob b ON b.repository = d.repository AND b.document_id = d.id
  WHERE ${isRead}`;

/** Reads the digests of the files in the documents that `readSubtree` reads. */
export const readSubtreeDigests = (
  client: Pick<Client, 'query'>,
  { repository, id }: Root,
  withoutTypes: readonly string[],
): AsyncGenerator<Array<{ digest: string }>> =>
  readByCursor(client, digests, { digest: 'text' }, undefined, [repository, id, withoutTypes]);

const counts = statement('count-what-exports-lack', {
  versions: 'int4',
  proxies: 'int4',
  trash: 'int4',
  comments: 'int4',
})`
  SELECT
    count(*) FILTER (WHERE d.is_version)::int AS versions,
    count(*) FILTER (WHERE d.is_proxy)::int AS proxies,
    count(*) FILTER (WHERE d.is_trashed AND NOT d.is_version)::int AS trash,
    count(*) FILTER (WHERE d.type = ANY($3::text[]) AND NOT d.is_version AND NOT d.is_trashed)::int AS comments
  FROM document d WHERE ${subtree}`;

/** Counts the documents in a subtree that `readSubtree` omits, by reason. */
export async function countLeftOut(
  client: Pick<Client, 'query'>,
  { repository, id }: Root,
  types: readonly string[],
): Promise<{ versions: number; proxies: number; trash: number; comments: number }> {
  const [found] = await client.query(counts, [repository, id, types]);
  return found ?? { versions: 0, proxies: 0, trash: 0, comments: 0 };
}
