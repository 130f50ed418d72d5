import { Readable } from 'node:stream';
import { bytesOf } from '../../blobs/bytes-of.ts';
import type { StoredBytes } from '../../blobs/store-bytes.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Context } from '../../loaders/context.ts';
import { loadReadable } from '../../loaders/documents/documents.ts';
import { beginning, writeZip, type ZippedFile } from '../../loaders/renditions/archive.ts';
import type { Scope } from '../../scope.ts';
import type { ExportAction } from './bulk-action.ts';
import type { SliceResults } from './slice-results.ts';

/** A call to an export action, which writes a file. */
export interface Export {
  readonly id: string;
  readonly action: ExportAction;
  readonly parameters: unknown;
}

const addPart = statement('add-bulk-file')`
  INSERT INTO bulk_file (command_id, position, digest, length)
  SELECT id, processed, $2, $3::bigint FROM bulk_command WHERE id = $1::uuid`;

const storeWhole = statement('keep-bulk-file')`
  WITH parts AS (DELETE FROM bulk_file WHERE command_id = $1::uuid AND position > 0)
  INSERT INTO bulk_file (command_id, position, digest, length) VALUES ($1::uuid, 0, $2, $3::bigint)
  ON CONFLICT (command_id, position) DO UPDATE SET digest = EXCLUDED.digest, length = EXCLUDED.length`;

/**
 * The maximum stored size, in bytes, of properties that are read together. The properties can be much larger in memory,
 * because PostgreSQL compresses them up to 90-fold.
 */
const portionBytes = 256 * 1024;

// A running total of the stored sizes assigns each document to a portion, so no portion is much larger than
// `portionBytes`.
const portionsQuery = statement('portions-of-export', { ids: 'uuid[]' })`
  SELECT array_agg(p.id ORDER BY p.nth) AS ids FROM (
    SELECT g.id, g.nth, sum(coalesce(pg_column_size(d.properties), 0)) OVER (ORDER BY g.nth) / ${portionBytes} AS filled
    FROM unnest($2::uuid[]) WITH ORDINALITY AS g (id, nth)
    LEFT JOIN document d ON d.repository = $1 AND d.id = g.id
  ) p GROUP BY p.filled ORDER BY p.filled`;

/**
 * Writes the lines of a slice as one part of the file, omitting documents that the user cannot read.
 * @param end the `performance.now()` after which the remaining documents are left to the next slice
 */
export async function exportDocuments(
  context: Context,
  { id, action, parameters }: Export,
  { ids, end }: { readonly ids: readonly string[]; readonly end: number },
): Promise<SliceResults> {
  const { db, options } = context;
  const { blobs } = context.services;
  const portions = await db.query(portionsQuery, [options.repository, ids]);
  const done: string[] = [];
  let written = 0;
  async function* lines(): AsyncGenerator<Buffer> {
    for (const portion of portions) {
      const rows = await loadReadable(context.load.documentById, portion.ids);
      for (const line of await action.lines(context, rows, parameters)) yield Buffer.from(line, 'utf8');
      context.reload();
      done.push(...portion.ids);
      written += rows.length;
      if (performance.now() > end) return;
    }
  }
  const { digest, length } = await blobs.write(lines());
  await db.query(addPart, [id, digest, length]);
  return { done, failed: [], skipped: done.length - written };
}

async function* wholeOf(
  { services: { blobs } }: Scope,
  header: string,
  digests: readonly string[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(header, 'utf8');
  yield* bytesOf(blobs, digests);
}

async function* onlyEntry(name: string, whole: AsyncIterable<Buffer>): AsyncGenerator<ZippedFile> {
  yield { name, content: async () => Readable.from(whole), date: beginning };
}

/**
 * Joins the parts of a file. This happens outside of a transaction, because joining a large file would keep the
 * transaction open for a long time.
 */
export async function joinExport(
  scope: Scope,
  { prisma }: Pick<Client, 'prisma'>,
  { id, action, parameters }: Export,
): Promise<StoredBytes> {
  const parts = await prisma.bulkFile.findMany({
    where: { commandId: id },
    select: { digest: true },
    orderBy: { position: 'asc' },
  });
  const digests = parts.map(({ digest }) => digest);
  const whole = wholeOf(scope, action.header(scope, parameters), digests);
  if (!action.isZipped?.(parameters)) return scope.services.blobs.write(whole);
  return writeZip(scope, `${id}.zip`, onlyEntry(`${id}.${action.ending}`, whole));
}

/** Replaces the parts of a file with the whole file. */
export const storeExport = ({ db }: Scope, id: string, { digest, length }: StoredBytes): Promise<unknown> =>
  db.query(storeWhole, [id, digest, length]);
