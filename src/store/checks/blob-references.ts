import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { CheckScope } from './check.ts';
import { checkDocuments, type DocumentFault, documentsOf, faultsQuery, findBy } from './document-slices.ts';

/** JSON path of blobs within properties: found by their shape, without the model. */
const blobsPath = `'strict $.** ? (@.digest like_regex "^[0-9a-f]{64}$" && @.length.type() == "number")'`;

const find = faultsQuery(
  'check-blob-references',
  `SELECT 'unlisted', d.repository, d.id, d.path, 'document_blob lacks its file ' || held.digest
  FROM slice s JOIN document d ON d.repository = s.repository AND d.id = s.id
  CROSS JOIN LATERAL (
    SELECT DISTINCT blob ->> 'digest' AS digest FROM jsonb_path_query(d.properties, ${blobsPath}) AS blob
  ) held
  WHERE NOT EXISTS (
    SELECT FROM document_blob b WHERE b.repository = d.repository AND b.document_id = d.id AND b.digest = held.digest)
  UNION ALL
  SELECT 'unheld', d.repository, d.id, d.path, 'document_blob has ' || b.digest || ' at ' || b.xpath || ', and the document has not'
  FROM slice s JOIN document d ON d.repository = s.repository AND d.id = s.id
  JOIN document_blob b ON b.repository = d.repository AND b.document_id = d.id
  WHERE d.properties #>> (string_to_array(b.xpath, '/') || ARRAY['digest']) IS DISTINCT FROM b.digest`,
);

interface Held {
  readonly repository: string;
  readonly id: string;
  readonly properties: unknown;
}

const isDigest = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** The digests of the blobs within a value, by xpath. */
function digestsIn(value: unknown, xpath = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) return found;
  const { digest, length } = value as { digest?: unknown; length?: unknown };
  if (isDigest(digest) && typeof length === 'number') return found.set(xpath, digest);
  for (const [key, inner] of Object.entries(value)) digestsIn(inner, xpath ? `${xpath}/${key}` : key, found);
  return found;
}

const propertiesQuery = statement('properties-of-faulty-documents')`
  SELECT d.repository, d.id, d.properties FROM unnest($1::text[], $2::uuid[]) AS faulty (repository, id)
  JOIN document d ON d.repository = faulty.repository AND d.id = faulty.id`;

const deleteQuery = statement('delete-blob-references')`
  DELETE FROM document_blob b USING unnest($1::text[], $2::uuid[]) AS faulty (repository, id)
  WHERE b.repository = faulty.repository AND b.document_id = faulty.id`;

const insertQuery = statement('insert-blob-references')`
  INSERT INTO document_blob (repository, document_id, xpath, digest)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[])`;

async function mend(db: Client, faults: readonly DocumentFault[]): Promise<void> {
  const documents = documentsOf(faults);
  const rows = (await db.query<Held>(propertiesQuery, documents)).flatMap(({ repository, id, properties }) =>
    [...digestsIn(properties)].map(([xpath, digest]) => ({ repository, id, xpath, digest })),
  );
  await db.query(deleteQuery, documents);
  await db.query(insertQuery, [
    rows.map(({ repository }) => repository),
    rows.map(({ id }) => id),
    rows.map(({ xpath }) => xpath),
    rows.map(({ digest }) => digest),
  ]);
}

/** `document_blob` names the blobs that properties hold, and no others: the sweep deletes what it lacks. */
export const checkBlobReferences = (scope: CheckScope): Promise<void> =>
  checkDocuments(scope, { find: findBy(find), mend });
