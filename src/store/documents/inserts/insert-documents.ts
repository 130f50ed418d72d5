import { modelColumns } from '../../../db/columns.ts';
import type { Client } from '../../../db/database.ts';
import { composed, type RowOf, statement } from '../../../db/statement.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { childrenByName, type StoredChild } from '../../../loaders/documents/unchecked.ts';
import type { Model } from '../../../model/model.ts';
import { maxPathBytes } from '../../../model/names.ts';
import type { StoredProperties } from '../../../model/values/stored.ts';
import { recordEvents } from '../../audit/audit.ts';
import { topDown } from '../../row-locks/lock-order.ts';
import { newRow } from '../create-document.ts';
import { blobRows } from '../properties.ts';
import { insertFreeRows } from './insert-rows.ts';

/** A document to insert without validation and without a permission check. */
export interface DocumentDraft {
  readonly parentId: string;
  readonly name: string;
  readonly type: string;
  readonly properties: StoredProperties;
}

/**
 * The result for a draft: the id of the new document, the existing document that has the same name, or the reason why
 * neither exists.
 */
export type InsertOutcome<Draft> = { readonly draft: Draft } & (
  | { readonly id: string }
  | { readonly existing: StoredChild }
  | { readonly reason: string }
);

// New rows copy the paths and ACLs of their parents, which must therefore not change until the transaction ends. The
// locks are taken in the same order as in all other transactions.
const lockParents = statement(
  'lock-parents-of-drafts',
  modelColumns('Document', 'repository', 'id', 'path', 'ancestorIds', 'aclId', 'isTrashed'),
)`
  SELECT d.repository, d.id, d.path, d.ancestor_ids AS "ancestorIds", d.acl_id AS "aclId",
    d.is_trashed AS "isTrashed"
  FROM document d WHERE d.repository = $1 AND d.id = ANY($2::uuid[])
  ${topDown('SHARE')}`;

type Parent = RowOf<typeof lockParents>;

interface NewRow<Draft> {
  readonly draft: Draft;
  row: DocumentRow;
}

function rowOf<Draft extends DocumentDraft>(
  draft: Draft,
  parent: Parent | undefined,
): NewRow<Draft> | { draft: Draft; reason: string } {
  if (!parent) return { draft, reason: 'the document for its folder was deleted in the meantime' };
  const row = newRow(parent, draft);
  if (Buffer.byteLength(row.path) <= maxPathBytes) return { draft, row };
  return { draft, reason: `the path would be longer than ${maxPathBytes} bytes` };
}

const sortKey = ({ row }: NewRow<unknown>): string => `${row.parentId}/${row.name}`;

async function insertDrafts<Draft extends DocumentDraft>(
  client: Client,
  repository: string,
  rows: ReadonlyArray<NewRow<Draft>>,
): Promise<InsertOutcome<Draft>[]> {
  const data = rows.map(({ row }) => row);
  if (await insertFreeRows(client, data)) return rows.map(({ draft, row }) => ({ draft, id: row.id }));

  const childAt = await childrenByName(client, repository, data);
  return rows.map(({ draft, row }) => {
    const child = childAt(row);
    if (child?.id === row.id) return { draft, id: row.id };
    return child
      ? { draft, existing: child }
      : { draft, reason: 'another transaction was using its name at the same time' };
  });
}

/**
 * Inserts documents inside a transaction. The number of statements does not depend on the number of documents.
 * @param complete checks and completes the properties of a document before it is inserted
 */
export async function insertDocuments<Draft extends DocumentDraft>(
  db: Client,
  { repository, model, user }: { repository: string; model: Model; user: string },
  drafts: readonly Draft[],
  complete?: (draft: Draft, row: DocumentRow) => Promise<DocumentRow>,
): Promise<InsertOutcome<Draft>[]> {
  const ids = [...new Set(drafts.map(({ parentId }) => parentId))];
  const locked = await db.query(lockParents, [repository, ids]);
  const parents = new Map(locked.map((parent) => [parent.id, parent]));
  const results = drafts.map((draft) => rowOf(draft, parents.get(draft.parentId)));

  // The rows are sorted, so that two imports into the same folder cannot deadlock.
  const made = results.filter((result) => 'row' in result).sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const failed = results.filter((result) => 'reason' in result);
  if (made.length === 0) return failed;
  if (complete) for (const each of made) each.row = await complete(each.draft, each.row);

  const inserted = await insertDrafts(db, repository, made);
  const created = new Set(inserted.flatMap((result) => ('id' in result ? [result.id] : [])));
  const rows = made.map(({ row }) => row).filter(({ id }) => created.has(id));
  const blobs = rows.flatMap((row) => blobRows(row, model.schemasOf(row.type, row.facets)));
  if (blobs.length > 0) await db.prisma.documentBlob.createMany({ data: blobs });
  await recordEvents(
    { db, services: { model }, user: { id: user }, options: { comment: undefined } },
    rows.map((document) => ({ eventId: 'documentCreated', document })),
  );
  return [...inserted, ...failed];
}

/**
 * Updates the planner's statistics. Otherwise, plans made when there were few documents, especially those for foreign
 * key checks, would still be used for a million documents: autovacuum runs only once a minute on a server, and rarely
 * in the embedded database.
 */
export const analyzeDocuments = async (db: Pick<Client, 'query'>): Promise<void> =>
  void (await db.query(composed('ANALYZE document, document_blob'), []));
