import type { Client, Query } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { longestPath } from '../model/names.ts';
import { record } from '../store/audit.ts';
import { newRow } from '../store/create-document.ts';
import { blobRows } from '../store/properties.ts';
import type { Draft } from './drafts.ts';
import type { ImportScope } from './state.ts';
import { type Child, storedChildren } from './stored-children.ts';

type Parent = Pick<DocumentRow, 'repository' | 'id' | 'path' | 'ancestorIds' | 'aclId' | 'isTrashed'>;

/** What became of a draft: its own document, the one that somebody else created meanwhile, or none. */
export type Inserted =
  | { readonly draft: Draft; readonly id: string }
  | { readonly draft: Draft; readonly existing: Child }
  | { readonly draft: Draft; readonly reason: string };

/** Held so that the paths above and the ACLs stay what they are until the rows below are there; from the top down. */
const holdParents: Query = {
  name: 'import-hold-parents',
  text: `
    SELECT d.repository, d.id, d.path, d.ancestor_ids AS "ancestorIds", d.acl_id AS "aclId",
      d.is_trashed AS "isTrashed"
    FROM document d WHERE d.repository = $1 AND d.id = ANY($2::uuid[])
    ORDER BY cardinality(d.ancestor_ids), d.id FOR SHARE`,
};

interface Made {
  readonly draft: Draft;
  readonly row: DocumentRow;
}

function rowOf(draft: Draft, parent: Parent | undefined): Made | { draft: Draft; reason: string } {
  if (!parent) return { draft, reason: 'the document of its folder was deleted meanwhile' };
  const row = newRow(parent, draft);
  if (Buffer.byteLength(row.path) <= longestPath) return { draft, row };
  return { draft, reason: `the path would be longer than ${longestPath} bytes` };
}

const order = ({ row }: Made): string => `${row.parentId}/${row.name}`;

/** Inserts rows, and finds out which ones others were faster with. */
async function insertRows(client: Client, repository: string, made: readonly Made[]): Promise<Inserted[]> {
  const data = made.map(({ row }) => row);
  const { count } = await client.prisma.document.createMany({ data, skipDuplicates: true });
  if (count === data.length) return made.map(({ draft, row }) => ({ draft, id: row.id }));

  const places = made.map(({ draft }) => ({ parentId: draft.entry.parentId, name: draft.name }));
  const childAt = await storedChildren(client, repository, places);
  return made.map(({ draft, row }) => {
    const child = childAt({ parentId: draft.entry.parentId, name: draft.name });
    if (child?.id === row.id) return { draft, id: row.id };
    return child ? { draft, existing: child } : { draft, reason: 'its name was taken for a moment' };
  });
}

/**
 * Inserts documents with as many statements as one would take.
 * @param client a transaction: the parents are held until it ends.
 */
export async function insertDrafts(
  client: Client,
  { repository, model, user }: Pick<ImportScope, 'repository' | 'model' | 'user'>,
  drafts: readonly Draft[],
): Promise<Inserted[]> {
  const ids = [...new Set(drafts.map(({ entry }) => entry.parentId))];
  const held = await client.query<Parent>(holdParents, [repository, ids]);
  const parents = new Map(held.map((parent) => [parent.id, parent]));
  const results = drafts.map((draft) => rowOf(draft, parents.get(draft.entry.parentId)));

  // In the same order in every process, so that two imports of one folder never wait for each other.
  const made = results.filter((result) => 'row' in result).sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const failed = results.filter((result) => 'reason' in result);
  if (made.length === 0) return failed;

  const inserted = await insertRows(client, repository, made);
  const created = new Set(inserted.flatMap((result) => ('id' in result ? [result.id] : [])));
  const rows = made.map(({ row }) => row).filter(({ id }) => created.has(id));
  const blobs = rows.flatMap((row) => blobRows(row, model.schemasOf(row.type, row.facets)));
  if (blobs.length > 0) await client.prisma.documentBlob.createMany({ data: blobs });
  const doing = { db: client, model, user: { id: user }, options: { comment: undefined } };
  await record(
    doing,
    rows.map((document) => ({ eventId: 'documentCreated', document })),
  );
  return [...inserted, ...failed];
}
