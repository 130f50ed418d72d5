import { Readable } from 'node:stream';
import { bytesOf } from '../../blobs/bytes-of.ts';
import { statement } from '../../db/statement.ts';
import type { Context } from '../../loaders/context.ts';
import { loadReadable } from '../../loaders/documents/documents.ts';
import { beginning, writeZip, type ZippedFile } from '../../loaders/renditions/archive.ts';
import type { Scope } from '../../scope.ts';
import type { ExportAction } from './bulk-action.ts';
import type { SliceResults } from './slice-results.ts';

interface Export {
  readonly id: string;
  readonly action: ExportAction;
  readonly parameters: unknown;
}

const addPart = statement('add-bulk-file')`
  INSERT INTO bulk_file (command_id, position, digest, length)
  SELECT id, processed, $2, $3::bigint FROM bulk_command WHERE id = $1::uuid`;

const takeParts = statement('take-bulk-files')`
  WITH taken AS (DELETE FROM bulk_file WHERE command_id = $1::uuid RETURNING position, digest)
  SELECT digest FROM taken ORDER BY position`;

const keepWhole = statement('keep-bulk-file')`
  INSERT INTO bulk_file (command_id, position, digest, length) VALUES ($1::uuid, 0, $2, $3::bigint)`;

/** Writes the lines of a slice as a part of the file; documents that the user may not read are left out. */
export async function exportDocuments(
  context: Context,
  { id, action, parameters }: Export,
  ids: readonly string[],
): Promise<SliceResults> {
  const rows = await loadReadable(context.load.documentById, ids);
  const lines = await action.lines(context, rows, parameters);
  if (rows.length > 0) {
    const { digest, length } = await context.blobs.write([Buffer.from(lines, 'utf8')]);
    await context.db.query(addPart, [id, digest, length]);
  }
  return { done: ids, failed: [], skipped: ids.length - rows.length };
}

async function* wholeOf(
  { blobs }: Scope,
  header: string,
  digests: readonly string[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(header, 'utf8');
  yield* bytesOf(blobs, digests);
}

async function* onlyEntry(name: string, whole: AsyncIterable<Buffer>): AsyncGenerator<ZippedFile> {
  yield { name, content: async () => Readable.from(whole), date: beginning };
}

/** Puts one file in place of its parts. */
export async function completeExport(scope: Scope, { id, action, parameters }: Export): Promise<void> {
  const parts = await scope.db.query<{ digest: string }>(takeParts, [id]);
  const digests = parts.map(({ digest }) => digest);
  const whole = wholeOf(scope, action.header(scope, parameters), digests);
  const { digest, length } = action.isZipped?.(parameters)
    ? await writeZip(scope, `${id}.zip`, onlyEntry(`${id}.${action.ending}`, whole))
    : await scope.blobs.write(whole);
  await scope.db.query(keepWhole, [id, digest, length]);
}
