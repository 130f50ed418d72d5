import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import pMap from 'p-map';
import { isUnsupported } from './s3-client.ts';
import type { Objects } from './s3-objects.ts';
import type { Spooled } from './spool.ts';

const MiB = 1024 * 1024;

/** S3's limits on the size in bytes of each part except the last, and on the number of parts. */
const partLimits = { min: 5 * MiB, max: 5 * 1024 * MiB, count: 10_000 };

/**
 * The total number of parts that this process's uploads hold in memory, and the usual size of a part in bytes.
 */
const sending = { atOnce: 3, length: 8 * MiB };

const inTurn = pLimit(sending.atOnce);

interface Part {
  readonly PartNumber: number;
  readonly ETag: string | undefined;
}

/**
 * Creates an object with a multipart upload. The object becomes visible once it is complete; a failed upload is
 * aborted.
 */
async function inParts<Item>(
  { ask, client, at }: Objects,
  key: string,
  {
    items,
    send,
  }: {
    items: readonly Item[];
    send: (part: { UploadId: string; PartNumber: number }, item: Item) => Promise<string | undefined>;
  },
): Promise<void> {
  const { UploadId = '' } = await ask(() => client.send(new CreateMultipartUploadCommand(at(key))));
  try {
    const Parts = await pMap(
      items,
      async (item, index): Promise<Part> => {
        const PartNumber = index + 1;
        return { PartNumber, ETag: await send({ UploadId, PartNumber }, item) };
      },
      { concurrency: sending.atOnce },
    );
    const command = new CompleteMultipartUploadCommand({ ...at(key), UploadId, MultipartUpload: { Parts } });
    await ask(() => client.send(command));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId })).catch(() => {});
    throw error;
  }
}

/** Uploads bytes from the spool in parts. */
export async function putInParts(objects: Objects, key: string, { length, part }: Spooled): Promise<void> {
  const { ask, client, at } = objects;
  const size = Math.max(sending.length, Math.ceil(length / partLimits.count / MiB) * MiB);
  const items = Array.from({ length: Math.ceil(length / size) }, (_, index) => index * size);
  await inParts(objects, key, {
    items,
    send: (place, start) =>
      inTurn(async () => {
        const Body = await part(start, Math.min(size, length - start));
        const command = new UploadPartCommand({ ...at(key), ...place, Body });
        return (await ask(() => client.send(command))).ETag;
      }),
  });
}

/** Whether S3 can join objects with these lengths without downloading them. */
export const areParts = (lengths: readonly number[]): boolean =>
  lengths.length > 1 &&
  lengths.length <= partLimits.count &&
  lengths.every((length, index) => {
    const isLast = index === lengths.length - 1;
    return length <= partLimits.max && (isLast ? length > 0 : length >= partLimits.min);
  });

/** Joins objects within the store, without downloading them. @returns false if the store does not support this. */
export async function joinObjects(objects: Objects, key: string, keys: readonly string[]): Promise<boolean> {
  const { ask, client, at } = objects;
  try {
    await inParts(objects, key, {
      items: keys,
      send: async (place, of) => {
        const { Bucket, Key } = at(of);
        const command = new UploadPartCopyCommand({ ...at(key), ...place, CopySource: `${Bucket}/${Key}` });
        return (await ask(() => client.send(command))).CopyPartResult?.ETag;
      },
    });
    return true;
  } catch (error) {
    if (isUnsupported(error)) return false;
    throw error;
  }
}

/**
 * Aborts uploads that are older than `grace` milliseconds and were left behind by killed processes. @returns their
 * number.
 */
export async function abortOldUploads({ ask, client, at }: Objects, grace: number): Promise<number> {
  const { Bucket, Key: Prefix } = at('');
  let aborted = 0;
  let markers: Pick<ListMultipartUploadsCommandOutput, 'NextKeyMarker' | 'NextUploadIdMarker'> = {};
  do {
    const command = new ListMultipartUploadsCommand({
      Bucket,
      Prefix,
      KeyMarker: markers.NextKeyMarker,
      UploadIdMarker: markers.NextUploadIdMarker,
    });
    const page = await ask(() => client.send(command)).catch((error: unknown) => {
      // Stores that do not support this request abort old uploads themselves.
      if (isUnsupported(error)) return undefined;
      throw error;
    });
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (Date.now() - (Initiated?.getTime() ?? Date.now()) < grace) continue;
      await ask(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
      aborted += 1;
    }
    markers = page?.IsTruncated ? page : {};
  } while (markers.NextKeyMarker);
  return aborted;
}
