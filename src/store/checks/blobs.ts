import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { BlobMissing } from '../../blobs/faults.ts';
import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Unavailable } from '../../errors.ts';
import { referringTables } from '../blobs/referenced-digests.ts';
import { referencedAmong, sweepBlobs } from '../blobs/sweep-blobs.ts';
import type { Check, CheckContext, CheckFault, CheckNote } from './check.ts';
import { checkDocuments, type DocumentFault, documentsOf, faultsQuery, findBy } from './document-slices.ts';

/**
 * A JSON path that finds all blobs within properties. It recognizes blobs by their structure, without using the model.
 */
const blobsPath = `'strict $.** ? (@.digest like_regex "^[0-9a-f]{64}$" && @.length.type() == "number")'`;

// `unlisted` finds blobs in the properties that are missing from `document_blob`; `unheld` finds rows of
// `document_blob` for blobs that are missing from the properties.
const find = faultsQuery(
  'check-blob-references',
  `SELECT 'unlisted', d.repository, d.id, d.path, 'document_blob does not list its file ' || held.digest
  FROM slice s JOIN document d ON d.repository = s.repository AND d.id = s.id
  CROSS JOIN LATERAL (
    SELECT DISTINCT blob ->> 'digest' AS digest FROM jsonb_path_query(d.properties, ${blobsPath}) AS blob
  ) held
  WHERE NOT EXISTS (
    SELECT FROM document_blob b WHERE b.repository = d.repository AND b.document_id = d.id AND b.digest = held.digest)
  UNION ALL
  SELECT 'unheld', d.repository, d.id, d.path, 'document_blob lists ' || b.digest || ' at ' || b.xpath || ', but the document does not contain it'
  FROM slice s JOIN document d ON d.repository = s.repository AND d.id = s.id
  JOIN document_blob b ON b.repository = d.repository AND b.document_id = d.id
  WHERE d.properties #>> (string_to_array(b.xpath, '/') || ARRAY['digest']) IS DISTINCT FROM b.digest`,
);

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

const propertiesQuery = statement(
  'properties-of-faulty-documents',
  modelColumns('Document', 'repository', 'id', 'properties'),
)`
  SELECT d.repository, d.id, d.properties FROM unnest($1::text[], $2::uuid[]) AS faulty (repository, id)
  JOIN document d ON d.repository = faulty.repository AND d.id = faulty.id`;

const deleteQuery = statement('delete-blob-references')`
  DELETE FROM document_blob b USING unnest($1::text[], $2::uuid[]) AS faulty (repository, id)
  WHERE b.repository = faulty.repository AND b.document_id = faulty.id`;

const insertQuery = statement('insert-blob-references')`
  INSERT INTO document_blob (repository, document_id, xpath, digest)
  SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[])`;

async function repair(db: Client, faults: readonly DocumentFault[]): Promise<void> {
  const documents = documentsOf(faults);
  const rows = (await db.query(propertiesQuery, documents)).flatMap(({ repository, id, properties }) =>
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

/**
 * Checks that `document_blob` lists exactly the blobs in the properties. This matters because the sweep deletes blobs
 * that are not listed.
 */
const checkBlobReferences = (context: CheckContext): Promise<void> =>
  checkDocuments(context, { find: findBy(find), repair });

const digestsOfSlice = 500;

/** The number of blobs that are looked up in the store at the same time. */
const atOnce = 8;

/** A blob that rows refer to. */
interface Referenced {
  readonly digest: string;
  /** The lengths in bytes according to the rows; there is more than one only if the rows disagree. */
  readonly lengths: readonly string[];
  /** A document that contains the blob, and the xpath within it. */
  readonly place: string | null;
}

const digestsOf = (table: string): string =>
  `(SELECT DISTINCT digest FROM ${table} WHERE digest > $1 ORDER BY digest LIMIT ${digestsOfSlice})`;

const lengthsOf = (table: string, column = 'length'): string =>
  `SELECT t.${column}::text AS length FROM ${table} t WHERE t.digest = slice.digest`;

// Selects the next digests in sorted order from all tables that refer to blobs. Each row contains the lengths according
// to these tables, and one document that contains the blob. Each slice starts after the last digest of the previous
// one, so no digest is read twice.
const sliceQuery = statement('check-blobs', { digest: 'text', lengths: 'text[]', place: 'text?' })`
  WITH slice AS (
    SELECT digest FROM (${referringTables.map(digestsOf).join(' UNION ')}) each ORDER BY digest LIMIT ${digestsOfSlice}
  )
  SELECT slice.digest, ARRAY(SELECT DISTINCT known.length FROM (
    SELECT d.properties #>> (string_to_array(b.xpath, '/') || ARRAY['length']) AS length
    FROM document_blob b JOIN document d ON d.repository = b.repository AND d.id = b.document_id
    WHERE b.digest = slice.digest
    UNION ${['rendition', 'conversion', 'bulk_file', 'upload_chunk'].map((table) => lengthsOf(table)).join(' UNION ')}
    UNION ${lengthsOf('upload_file', 'size')} AND t.chunk_count IS NULL
  ) known WHERE known.length IS NOT NULL) AS lengths, (
    SELECT d.path || ' ' || b.xpath FROM document_blob b
    JOIN document d ON d.repository = b.repository AND d.id = b.document_id WHERE b.digest = slice.digest LIMIT 1
  ) AS place
  FROM slice ORDER BY slice.digest`;

async function hasItsDigest({ blobs }: CheckContext, digest: string): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const chunk of (await blobs.read(digest)) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex') === digest;
}

/** Describes the fault in a blob's bytes, if there is one. */
async function faultOf(
  context: CheckContext,
  { digest, lengths, place }: Referenced,
): Promise<CheckFault | undefined> {
  const of = `${digest}, of ${place ?? 'no document'}`;
  const length = await context.blobs.lengthOf(digest);
  if (length === undefined) {
    // The last row that refers to the blob may just have been deleted, along with the blob.
    const isStill = (await referencedAmong(context.database, [digest])).has(digest);
    return isStill
      ? { kind: 'bytes-missing', message: `the store does not have the bytes of ${of}` }
      : undefined;
  }
  const wrong = lengths.find((known) => Number(known) !== length);
  if (wrong !== undefined)
    return { kind: 'length', message: `has ${length} bytes instead of ${wrong}: ${of}` };
  if (!context.readsBytes) return undefined;
  const isIntact = await hasItsDigest(context, digest).catch((error: unknown) => {
    if (error instanceof BlobMissing) return true; // the blob was deleted after its length was read
    throw error;
  });
  return isIntact
    ? undefined
    : { kind: 'bytes-damaged', message: `the bytes in the store do not have the digest ${of}` };
}

async function checkBytes(context: CheckContext): Promise<void> {
  let [after, count]: [string | undefined, number] = ['', 0];
  while (after !== undefined && !context.signal.aborted) {
    const rows: Referenced[] = await context.database.query(sliceQuery, [after]);
    const faults = await pMap(rows, (row) => faultOf(context, row), { concurrency: atOnce });
    for (const fault of faults) if (fault) context.onFault({ ...fault, isRepaired: false });
    after = rows.at(-1)?.digest;
    count += rows.length;
    context.onProgress(count);
  }
}

/**
 * Counts or deletes blobs that no row refers to. They do not count as faults, because a write may be about to refer to
 * them.
 */
async function unused({
  database,
  blobs,
  isRepairing,
  signal,
}: CheckContext): Promise<CheckNote | undefined> {
  if (isRepairing) {
    const swept = await sweepBlobs(database, blobs, undefined, () => signal.aborted).catch(
      (error: unknown) => {
        if (signal.aborted && error instanceof Unavailable) return undefined;
        throw error;
      },
    );
    if (swept === undefined) return undefined;
    const text = `${swept} files that no row refers to were deleted from the blob store.`;
    return { text, counts: { deleted: swept } };
  }
  let count = 0;
  for await (const digests of blobs.list()) {
    if (signal.aborted) return undefined;
    count += digests.length - (await referencedAmong(database, digests)).size;
  }
  const text = `No row refers to ${count} files in the blob store. Files older than a day are deleted every day.`;
  return { text, counts: { unreferenced: count } };
}

/**
 * Checks that the store contains all bytes that rows refer to, with the right length and, if `readsBytes` is set, the
 * right digest.
 */
export const blobsCheck: Check = {
  name: 'blobs',
  run: async (context) => {
    await checkBlobReferences(context);
    await checkBytes(context);
    return context.signal.aborted ? undefined : unused(context);
  },
};
