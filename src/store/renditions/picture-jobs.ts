import { pictureTypes } from '../../converters/picture.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** The jobs that make the views of pictures. */
export const pictureViewsJob = 'picture-views';

const mimeType = `d.properties #>> '{file:content,mimeType}'`;

/**
 * SQL: whether a document `d` lacks what the server fills in for its picture. A document that may not change
 * does not get it. @param types SQL: the types with the facet Picture.
 */
const lacksFacts = (types: string): string => `
  (d.type = ANY(${types}) OR d.facets @> '{Picture}')
  AND NOT d.properties ?& '{picture:info,picture:views}'
  AND ${mimeType} IN (${pictureTypes.map((type) => `'${type}'`).join(', ')})
  AND NOT d.has_legal_hold AND (d.retain_until IS NULL OR d.retain_until <= now())`;

/** A table of a WITH: asks for the views of the pictures that the documents in the table `changed` have. */
export const askedPictures = (types: string): string => `
  asked_pictures AS (
    INSERT INTO job (kind, once, payload)
    SELECT DISTINCT '${pictureViewsJob}', '${pictureViewsJob} ' || b.digest, jsonb_build_object('digest', b.digest)
    FROM changed c
    JOIN document_blob b ON b.repository = c.repository AND b.document_id = c.id AND b.xpath = 'file:content'
    JOIN document d ON d.repository = b.repository AND d.id = b.document_id
    WHERE ${lacksFacts(types)}
    ON CONFLICT (once) DO NOTHING
    RETURNING id
  )`;

/** Documents of one transaction: their writers wait no longer than for it. */
const mostDocuments = 100;

const lacking = `
  FROM document d
  WHERE (d.repository, d.id) IN (
    SELECT repository, document_id FROM document_blob WHERE digest = $1 AND xpath = 'file:content'
  ) AND ${lacksFacts('$2::text[]')}`;

/** A document whose picture has no views yet. */
export interface LackingDocument {
  readonly repository: string;
  readonly id: string;
  readonly name: string;
  readonly fileName: string | null;
  readonly mimeType: string;
  /** Whether it has views of its own. */
  readonly hasViews: boolean;
}

const columns = `d.repository, d.id, d.name, d.properties #>> '{file:content,name}' AS "fileName",
  ${mimeType} AS "mimeType", d.properties ? 'picture:views' AS "hasViews"`;

type Asking = Pick<Client, 'query'>;

const anyQuery = statement('find-lacking-picture')`SELECT ${columns} ${lacking} LIMIT 1`;

/** One of the documents that lack the views of a file, if there are any. */
export async function lackingDocument(
  db: Asking,
  digest: string,
  types: readonly string[],
): Promise<LackingDocument | undefined> {
  const [found] = await db.query<LackingDocument>(anyQuery, [digest, types]);
  return found;
}

// Those that another transaction has locked are skipped: the job waits for no user, nor deadlocks with one.
const lockQuery = statement('lock-lacking-pictures')`
  SELECT ${columns} ${lacking} ORDER BY d.id LIMIT ${mostDocuments} FOR NO KEY UPDATE SKIP LOCKED`;

/** Locks some of the documents that lack the views of a file. */
export const lockLackingDocuments = (
  db: Asking,
  digest: string,
  types: readonly string[],
): Promise<LackingDocument[]> => db.query<LackingDocument>(lockQuery, [digest, types]);
