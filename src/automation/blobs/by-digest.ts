import { storedFileType } from '../../blobs/media-type.ts';
import { Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import { applyBlobJson } from '../../store/blobs/blob-values.ts';

export interface BlobValue {
  readonly digest: string;
  readonly name?: string | null | undefined;
  /** The media type. If it is absent, it is detected from the bytes and the name. */
  readonly mimeType?: string | null | undefined;
  readonly encoding?: string | null | undefined;
}

/**
 * Returns the blobs with the given digests, and marks them as recently used, so that they are not deleted before a
 * document refers to them.
 * @throws Invalid if there is no blob with one of the digests
 */
export async function blobsByDigest(
  { services: { blobs } }: Context,
  input: readonly BlobValue[],
): Promise<StoredBlob[]> {
  requireStorable(input);
  return Promise.all(
    input.map(async ({ digest, name, mimeType, encoding }) => {
      const length = await blobs.renew(digest);
      if (length === undefined) throw new Invalid(`input: there is no blob ${digest.slice(0, 80)}`);
      const type = mimeType
        ? { mimeType, encoding: null }
        : await storedFileType(blobs, digest, { name, encoding });
      const stored = { digest, length, name: name ?? null, ...type };
      return applyBlobJson(stored, encoding ? { encoding } : {}, 'input');
    }),
  );
}
