import { isDeepStrictEqual } from 'node:util';
import type { Client, Query } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Schema } from '../model/model.ts';
import { blobRows } from './properties.ts';

// The two writes that nearly every request comes down to: past Prisma, which takes most of their time.
const insertQuery: Query = {
  name: 'insert-document',
  text: `
    INSERT INTO document
      (repository, id, parent_id, ancestor_ids, name, path, type, facets, title, state, properties,
       acl_id)
    VALUES ($1, $2::uuid, $3::uuid, $4::uuid[], $5, $6, $7, $8::text[], $9, $10, $11::jsonb, $12::uuid)
    ON CONFLICT DO NOTHING RETURNING id`,
};

const updateQuery: Query = {
  name: 'update-document',
  text: `
    UPDATE document SET properties = $3::jsonb, title = $4, user_token = $5
    WHERE repository = $1 AND id = $2::uuid`,
};

/** Inserts a new document, without its blobs; false when its name is taken. */
export async function insertDocument(db: Client, row: DocumentRow): Promise<boolean> {
  const { repository, id, parentId, ancestorIds, name, path, type, facets, title, state, properties } = row;
  const place = [repository, id, parentId, ancestorIds, name, path];
  const rows = await db.query(insertQuery, [
    ...place,
    type,
    facets,
    title,
    state,
    JSON.stringify(properties),
    row.aclId,
  ]);
  return rows.length === 1;
}

/** Writes what a change of properties changes of a row. */
export async function writeProperties(db: Client, row: DocumentRow): Promise<void> {
  const { repository, id, properties, title, userToken } = row;
  await db.query(updateQuery, [repository, id, JSON.stringify(properties), title, userToken]);
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
