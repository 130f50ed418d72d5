import type { Purpose } from '../../converters/converter.ts';
import { encryptedFault } from '../../converters/encrypted.ts';
import { conversionPaths } from '../../converters/index.ts';
import type { FileFault } from '../../model/file-icon.ts';
import type { BlobShape } from '../../model/values/document-blob.ts';
import type { Context } from '../context.ts';

/**
 * Explains why a stored file cannot be shown, after a conversion of it has failed. Only converters can detect the
 * reason, so another conversion is tried; its result is usually stored already.
 * @param other the purpose of the other conversion
 * @returns undefined if the other conversion succeeds, or no converter accepts the file
 */
export async function fileFaultOf(
  { db, services: { conversions } }: Context,
  blob: BlobShape,
  other: Purpose,
): Promise<FileFault | undefined> {
  if (await conversions.of(db, other, blob)) return undefined;
  // Ignores failures that were stored for the same bytes with a different media type.
  const tried = (['thumbnail', 'text'] as const).flatMap((makes) =>
    conversionPaths(makes, blob.mimeType, conversions.tools).flat(),
  );
  const converter = { in: tried.map(({ name }) => name) };
  const where = { sourceDigest: blob.digest, digest: null, converter };
  const failures = await db.prisma.rendition.findMany({ where, select: { error: true } });
  if (failures.length === 0) return undefined;
  return failures.some(({ error }) => error === encryptedFault) ? 'encrypted' : 'unreadable';
}
