import type { Context } from '../context.ts';
import { Invalid } from '../errors.ts';
import { requireStorable } from '../model/storable.ts';
import type { StoredBlob } from '../model/stored.ts';
import { described } from '../store/blob-values.ts';

/** A blob as a caller names it: by the SHA-256, in hexadecimal, of bytes that are in the blob store. */
export interface GivenBlob {
  readonly digest: string;
  readonly name?: string | null | undefined;
  /** `application/octet-stream` when absent. */
  readonly mimeType?: string | null | undefined;
  readonly encoding?: string | null | undefined;
}

/** Blobs of the blob store, which a sweep leaves alone from now on until they are written. @throws Invalid */
export async function blobsOf({ blobs }: Context, given: readonly GivenBlob[]): Promise<StoredBlob[]> {
  requireStorable(given);
  return Promise.all(
    given.map(async ({ digest, name, mimeType, encoding }) => {
      const length = await blobs.renew(digest);
      if (length === undefined) throw new Invalid(`input: there is no blob ${digest.slice(0, 80)}`);
      const stored = {
        digest,
        length,
        name: name ?? null,
        mimeType: 'application/octet-stream',
        encoding: null,
      };
      const said = { ...(mimeType && { 'mime-type': mimeType }), ...(encoding && { encoding }) };
      return described(stored, said, 'input');
    }),
  );
}
