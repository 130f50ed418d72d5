import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { FilledKind } from './filled-kinds.ts';

/** The kind of job that fills in properties from the main file of documents, such as the views of a picture. */
export const fillingJob = 'fill-documents';

const mimeType = `d.properties #>> '{file:content,mimeType}'`;

/**
 * SQL that joins a table `k` with the kind that a document `d` belongs to, if the document lacks properties of that
 * kind. A document under retention or legal hold is omitted, because it must not change.
 * @param kinds an SQL expression that contains the result of `filledKindsText`
 */
const lackedKind = (kinds: string): string => `
  CROSS JOIN LATERAL (
    SELECT k.facet, k.items
    FROM jsonb_to_recordset(${kinds}::jsonb)
      AS k (facet text, types text[], "mimeTypes" text[], properties text[], items text)
    WHERE (d.type = ANY(k.types) OR d.facets @> ARRAY[k.facet]) AND NOT d.properties ?& k.properties
      AND ${mimeType} = ANY(k."mimeTypes") AND NOT d.has_legal_hold
      AND (d.retain_until IS NULL OR d.retain_until <= now())
    LIMIT 1
  ) k`;

/**
 * A common table expression (CTE) for a WITH clause. It adds jobs that fill in missing properties of the documents in
 * the table `changed` from their main files.
 */
export const requestedFillings = (kinds: string): string => `
  requested_fillings AS (
    INSERT INTO job (kind, once, payload)
    SELECT DISTINCT '${fillingJob}', '${fillingJob} ' || b.digest, jsonb_build_object('digest', b.digest)
    FROM changed c
    JOIN document_blob b ON b.repository = c.repository AND b.document_id = c.id AND b.xpath = 'file:content'
    JOIN document d ON d.repository = b.repository AND d.id = b.document_id ${lackedKind(kinds)}
    ORDER BY 2 -- a common order, so that two transactions that add jobs for the same files cannot deadlock
    ON CONFLICT (once) DO NOTHING
    RETURNING id
  )`;

/**
 * The maximum number of documents in one transaction. It is limited because users who change one of these documents
 * have to wait.
 */
const maxDocuments = 100;

const lacking = `
  FROM document d ${lackedKind('$2')}
  WHERE (d.repository, d.id) IN (
    SELECT repository, document_id FROM document_blob WHERE digest = $1 AND xpath = 'file:content'
  )`;

/** A document with properties that have to be filled in from its main file. */
interface LackingDocument {
  readonly repository: string;
  readonly id: string;
  readonly name: string;
  readonly fileName: string | null;
  readonly mimeType: string;
  readonly facet: FilledKind['facet'];
  /** Whether the document already has list items. */
  readonly hasItems: boolean;
}

const columns = `d.repository, d.id, d.name, d.properties #>> '{file:content,name}' AS "fileName",
  ${mimeType} AS "mimeType", k.facet, d.properties ? k.items AS "hasItems"`;

const lackingRow = {
  ...modelColumns('Document', 'repository', 'id', 'name'),
  fileName: 'text?',
  mimeType: 'text',
  facet: typed<FilledKind['facet']>('text'),
  hasItems: 'bool',
} as const;

type Asking = Pick<Client, 'query'>;

const anyQuery = statement('find-lacking-document', lackingRow)`SELECT ${columns} ${lacking} LIMIT 1`;

/**
 * Finds one of the documents with a given file that have properties to be filled in.
 * @param kinds the result of `filledKindsText`
 */
export async function lackingDocument(
  db: Asking,
  digest: string,
  kinds: string,
): Promise<LackingDocument | undefined> {
  const [found] = await db.query(anyQuery, [digest, kinds]);
  return found;
}

// Documents that another transaction has locked are skipped, so that the job neither waits for users nor
// deadlocks with them.
const lockQuery = statement('lock-lacking-documents', lackingRow)`
  SELECT ${columns} ${lacking} ORDER BY d.id LIMIT ${maxDocuments} FOR NO KEY UPDATE OF d SKIP LOCKED`;

/**
 * Locks some of the documents with a given file that have properties to be filled in.
 * @param kinds the result of `filledKindsText`
 */
export const lockLackingDocuments = (db: Asking, digest: string, kinds: string): Promise<LackingDocument[]> =>
  db.query(lockQuery, [digest, kinds]);
