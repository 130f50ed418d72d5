import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { BlobMissing } from '../../blobs/faults.ts';
import { statement } from '../../db/statement.ts';
import { Unavailable } from '../../errors.ts';
import { referringTables } from '../blobs/referenced-digests.ts';
import { referencedAmong, sweepBlobs } from '../blobs/sweep-blobs.ts';
import { checkBlobReferences } from './blob-references.ts';
import type { Check, CheckFault, CheckNote, CheckScope } from './check.ts';

const digestsOfSlice = 500;

/** Blobs that are asked for at a time. */
const atOnce = 8;

interface Referenced {
  readonly digest: string;
  /** The lengths that rows give, in bytes: one, unless rows differ. */
  readonly lengths: readonly string[];
  /** A document that has it. */
  readonly place: string | null;
}

const digestsOf = (table: string): string =>
  `(SELECT DISTINCT digest FROM ${table} WHERE digest > $1 ORDER BY digest LIMIT ${digestsOfSlice})`;

const lengthsOf = (table: string, column = 'length'): string =>
  `SELECT t.${column}::text AS length FROM ${table} t WHERE t.digest = slice.digest`;

const sliceQuery = statement('check-blobs')`
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

async function hasItsDigest({ blobs }: CheckScope, digest: string): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const chunk of (await blobs.read(digest)) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex') === digest;
}

/** What is wrong with the bytes of a blob. */
async function faultOf(
  scope: CheckScope,
  { digest, lengths, place }: Referenced,
): Promise<CheckFault | undefined> {
  const of = `${digest}, of ${place ?? 'no document'}`;
  const length = await scope.blobs.lengthOf(digest);
  if (length === undefined) {
    // The last row that refers to it may be gone by now, and the blob with it.
    const isStill = (await referencedAmong(scope.database, [digest])).has(digest);
    return isStill ? { kind: 'bytes-missing', message: `the store has no bytes of ${of}` } : undefined;
  }
  const wrong = lengths.find((known) => Number(known) !== length);
  if (wrong !== undefined) return { kind: 'length', message: `has ${length} bytes, and not ${wrong}: ${of}` };
  if (!scope.readsBytes) return undefined;
  const isSound = await hasItsDigest(scope, digest).catch((error: unknown) => {
    if (error instanceof BlobMissing) return true; // it was there just now: deleted meanwhile
    throw error;
  });
  return isSound ? undefined : { kind: 'bytes-damaged', message: `the store has other bytes for ${of}` };
}

async function checkBytes(scope: CheckScope): Promise<void> {
  let [after, count]: [string | undefined, number] = ['', 0];
  while (after !== undefined && !scope.signal.aborted) {
    const rows: Referenced[] = await scope.database.query(sliceQuery, [after]);
    const faults = await pMap(rows, (row) => faultOf(scope, row), { concurrency: atOnce });
    for (const fault of faults) if (fault) scope.onFault({ ...fault, isMended: false });
    after = rows.at(-1)?.digest;
    count += rows.length;
    scope.onProgress(count);
  }
}

/** Bytes that no row refers to are no fault: a write may be about to refer to them. */
async function unused({ database, blobs, isMending, signal }: CheckScope): Promise<CheckNote | undefined> {
  if (isMending) {
    const swept = await sweepBlobs(database, blobs, undefined, () => signal.aborted).catch(
      (error: unknown) => {
        if (signal.aborted && error instanceof Unavailable) return undefined;
        throw error;
      },
    );
    if (swept === undefined) return undefined;
    const text = `files of the store that no row referred to, and that are deleted: ${swept}`;
    return { text, counts: { deleted: swept } };
  }
  let count = 0;
  for await (const digests of blobs.list()) {
    if (signal.aborted) return undefined;
    count += digests.length - (await referencedAmong(database, digests)).size;
  }
  const text = `files of the store that no row refers to: ${count}; those older than a day are deleted daily`;
  return { text, counts: { unreferenced: count } };
}

/** Rows refer to bytes that the store has, with their length; and with `readsBytes`, their digest. */
export const blobsCheck: Check = {
  name: 'blobs',
  run: async (scope) => {
    await checkBlobReferences(scope);
    await checkBytes(scope);
    return scope.signal.aborted ? undefined : unused(scope);
  },
};
