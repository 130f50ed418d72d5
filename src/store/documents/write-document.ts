import { isDeepStrictEqual } from 'node:util';
import { statement } from '../../db/statement.ts';
import { type DocumentRow, documentColumnDefinitions } from '../../loaders/documents/document-row.ts';
import type { Scope } from '../../scope.ts';
import { type AuditEvent, withAudit, writeAudited } from '../audit/audit.ts';
import { allColumns, columnOf, type DocumentField, documentFields } from './column-sql.ts';
import { blobRows } from './properties.ts';

// Inserting and saving a document are the most frequent writes. They use plain SQL, because Prisma would take up most
// of their time.

/**
 * Columns that `saveDocument` never writes, because they never change or are changed only by moves, ACL changes, the
 * trash and retention.
 */
const fixed: ReadonlySet<DocumentField> = new Set<DocumentField>([
  ...(['repository', 'id', 'parentId', 'ancestorIds', 'name', 'path', 'type', 'aclId'] as const),
  ...(['isVersion', 'isProxy', 'isTrashed', 'liveId', 'versionCreated'] as const),
  ...(['isRecord', 'retainUntil', 'hasLegalHold'] as const),
]);

const key: readonly DocumentField[] = ['repository', 'id'];
const changing = documentFields.filter((field) => !fixed.has(field));

const parameter = (field: DocumentField, index: number): string =>
  `$${index + 1}::${documentColumnDefinitions[field].type}`;

const insertQuery = withAudit(statement('insert-document')`
  INSERT INTO document (${allColumns})
  VALUES (${documentFields.map(parameter).join(', ')}) ON CONFLICT DO NOTHING RETURNING id`);

const updateQuery = withAudit(statement('update-document')`
  UPDATE document
  SET ${changing.map((field, index) => `${columnOf(field)} = ${parameter(field, index + key.length)}`).join(', ')}
  WHERE repository = $1 AND id = $2::uuid RETURNING id`);

const valuesOf = (row: DocumentRow, fields: readonly DocumentField[]): unknown[] =>
  fields.map((field) => (field === 'properties' ? JSON.stringify(row.properties) : row[field]));

/**
 * Inserts a document and its log entries, without its blobs.
 * @returns false if its name is taken
 */
export async function insertDocument(
  scope: Scope,
  row: DocumentRow,
  events: readonly AuditEvent[] = [{ eventId: 'documentCreated', document: row }],
): Promise<boolean> {
  const rows = await writeAudited(scope, insertQuery, valuesOf(row, documentFields), events);
  return rows.length === 1;
}

/** Writes a locked row, except for the columns that describe its location in the tree, along with its log entries. */
export async function saveDocument(
  scope: Scope,
  row: DocumentRow,
  events: readonly AuditEvent[],
): Promise<void> {
  await writeAudited(scope, updateQuery, valuesOf(row, [...key, ...changing]), events);
}

const blobsOf = ({ services: { model } }: Scope, row: DocumentRow) =>
  blobRows(row, model.schemasOf(row.type, row.facets));

/** Inserts the rows that record which blobs a new document refers to. */
export async function insertBlobs(scope: Scope, row: DocumentRow): Promise<void> {
  const data = blobsOf(scope, row);
  if (data.length > 0) await scope.db.prisma.documentBlob.createMany({ data });
}

/** Updates the rows that record which blobs a document refers to, after a change. */
export async function replaceBlobs(
  scope: Scope,
  { before, after }: { before: DocumentRow; after: DocumentRow },
): Promise<void> {
  if (isDeepStrictEqual(blobsOf(scope, after), blobsOf(scope, before))) return;
  const { repository, id: documentId } = after;
  await scope.db.prisma.documentBlob.deleteMany({ where: { repository, documentId } });
  await insertBlobs(scope, after);
}
