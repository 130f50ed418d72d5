import { storedMediaType } from '../../blobs/media-type.ts';
import { Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import { applyBlobJson } from '../../store/blobs/blob-values.ts';

export interface BlobValue {
  readonly digest: string;
  readonly name?: string | null | undefined;
  /** Detected from the bytes and the name if absent. */
  readonly mimeType?: string | null | undefined;
  readonly encoding?: string | null | undefined;
}

/**
 * Returns blobs by their digests and renews them, so that the sweep does not delete them before they are
 * attached to a document.
 * @throws Invalid for an unknown digest
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
      const stored = {
        digest,
        length,
        name: name ?? null,
        mimeType: mimeType || (await storedMediaType(blobs, digest, { name })),
        encoding: null,
      };
      return applyBlobJson(stored, encoding ? { encoding } : {}, 'input');
    }),
  );
}
