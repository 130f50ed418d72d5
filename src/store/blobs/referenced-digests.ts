import { readByCursor } from '../../db/copy/read-tables.ts';
import type { CopyConnection } from '../../db/copy/table-contents.ts';

/** The tables whose rows refer to blobs through a `digest` column. */
export const referringTables: readonly string[] = [
  'document_blob',
  'upload_file',
  'upload_chunk',
  'mail_file',
  'bulk_file',
  'execution_file',
  'rendition',
  'conversion',
];

/** Reads the digests that rows refer to, without duplicates. Must be called in a transaction. */
export function referencedDigests(client: CopyConnection): AsyncGenerator<Array<{ digest: string }>> {
  const parts = referringTables.map((table) => `SELECT digest FROM ${table} WHERE digest IS NOT NULL`);
  return readByCursor(client, parts.join(' UNION '), { digest: 'text' });
}
