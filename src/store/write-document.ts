import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../db/database.ts';
import { columns, type DocumentRow } from '../loaders/document-row.ts';
import type { Schema } from '../model/model.ts';
import type { Scope } from '../scope.ts';
import { type Event, recorded, write } from './audit.ts';
import { blobRows } from './properties.ts';

// The two writes that nearly every request comes down to: past Prisma, which takes most of their time.

type Field = keyof DocumentRow;

const all = Object.keys(columns) as Field[];

/** What a document keeps for life, or until it is moved or others' ACLs change. */
const fixed: ReadonlySet<Field> = new Set<Field>([
  ...(['repository', 'id', 'parentId', 'ancestorIds', 'name', 'path', 'type', 'aclId'] as const),
  ...(['isVersion', 'isProxy', 'isTrashed', 'liveId', 'versionCreated'] as const),
]);

const key: readonly Field[] = ['repository', 'id'];
const changing = all.filter((field) => !fixed.has(field));

const parameter = (field: Field, index: number): string => `$${index + 1}::${columns[field].type}`;

const insertQuery = recorded({
  name: 'insert-document',
  text: `
    INSERT INTO document (${all.map((field) => columns[field].column).join(', ')})
    VALUES (${all.map(parameter).join(', ')}) ON CONFLICT DO NOTHING RETURNING id`,
});

const updateQuery = recorded({
  name: 'update-document',
  text: `
    UPDATE document
    SET ${changing.map((field, index) => `${columns[field].column} = ${parameter(field, index + key.length)}`).join(', ')}
    WHERE repository = $1 AND id = $2::uuid RETURNING id`,
});

const valuesOf = (row: DocumentRow, fields: readonly Field[]): unknown[] =>
  fields.map((field) => (field === 'properties' ? JSON.stringify(row.properties) : row[field]));

/**
 * Inserts a new document, without its blobs, and records what happened with it: by default, that it was created.
 * @returns false when its name is taken.
 */
export async function insertDocument(
  scope: Scope,
  row: DocumentRow,
  events: readonly Event[] = [{ eventId: 'documentCreated', document: row }],
): Promise<boolean> {
  const rows = await write(scope, insertQuery, valuesOf(row, all), events);
  return rows.length === 1;
}

/** Writes a row that is held, but for its place in the tree, and records what happened to it. */
export async function saveDocument(scope: Scope, row: DocumentRow, events: readonly Event[]): Promise<void> {
  await write(scope, updateQuery, valuesOf(row, [...key, ...changing]), events);
}

/** Records which blobs a new document holds. */
export async function insertBlobs(db: Client, row: DocumentRow, schemas: readonly Schema[]): Promise<void> {
  const data = blobRows(row, schemas);
  if (data.length > 0) await db.prisma.documentBlob.createMany({ data });
}

/** Records which blobs a document holds now, where they are others than before. */
export async function replaceBlobs(
  db: Client,
  { before, after }: { before: DocumentRow; after: DocumentRow },
  schemas: readonly Schema[],
): Promise<void> {
  if (isDeepStrictEqual(blobRows(after, schemas), blobRows(before, schemas))) return;
  const { repository, id: documentId } = after;
  await db.prisma.documentBlob.deleteMany({ where: { repository, documentId } });
  await insertBlobs(db, after, schemas);
}
