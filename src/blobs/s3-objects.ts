import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Address } from '../config.ts';
import type { ByteRange, SignedAnswer } from './blob-store.ts';
import { clientOf, createAsking, isMissing, repeated } from './s3-client.ts';
import type { Spooled } from './spool.ts';

/** The number of milliseconds without new data after which a download is aborted. */
const stallTimeout = 30_000;

/**
 * Aborts a download if the store has stopped sending data. A download whose buffer is full is not aborted, because it
 * is only waiting for its reader.
 */
function destroyWhenStalled(answer: IncomingMessage): IncomingMessage {
  let received = -1;
  const timer = setInterval(() => {
    const { bytesRead = 0 } = answer.socket ?? {};
    const isWaiting = !answer.complete && answer.readableLength < answer.readableHighWaterMark;
    if (isWaiting && bytesRead === received)
      answer.destroy(new Error(`The blob store sent nothing for ${stallTimeout} ms.`));
    received = bytesRead;
  }, stallTimeout).unref();
  return answer.once('close', () => clearInterval(timer));
}

interface Listed {
  readonly key: string;
  readonly modified: number;
}

interface Found {
  readonly length: number;
  readonly modified: number;
}

/** The number of seconds for which a signed URL is valid. */
const signedSeconds = 60;

const absentIfMissing = (error: unknown): undefined => {
  if (isMissing(error)) return undefined;
  throw error;
};

/** Opens the objects below the prefix of an address. Keys are relative to the prefix. */
export function openObjects(address: S3Address) {
  const client = clientOf(address);
  const singleClient = clientOf(address, 1);
  const { ask } = createAsking();
  const { bucket: Bucket, prefix } = address;
  const at = (key: string) => ({ Bucket, Key: `${prefix}${key}` });
  return {
    client,
    ask,
    at,
    /** Checks that the bucket can be accessed. @throws the SDK's error if it cannot */
    checkBucket: () => client.send(new HeadBucketCommand({ Bucket })),
    find: async (key: string): Promise<Found | undefined> => {
      const found = await ask(() => client.send(new HeadObjectCommand(at(key)))).catch(absentIfMissing);
      if (!found) return undefined;
      return { length: found.ContentLength ?? 0, modified: found.LastModified?.getTime() ?? 0 };
    },
    /** Opens an object for reading; undefined if it does not exist. */
    get: async (key: string, range?: ByteRange): Promise<Readable | undefined> => {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const command = new GetObjectCommand({ ...at(key), Range });
      const answer = await ask(() => client.send(command)).catch(absentIfMissing);
      return answer && destroyWhenStalled(answer.Body as IncomingMessage);
    },
    put: async (key: string, content: Uint8Array | string): Promise<void> => {
      const Body = Buffer.from(content);
      const command = new PutObjectCommand({ ...at(key), Body, ContentLength: Body.length });
      await ask(() => client.send(command));
    },
    /**
     * Uploads an object. The request is signed with the known digest, so that the SDK does not need to compute the
     * digest again.
     */
    send: async (key: string, { digest, length, open }: Spooled): Promise<void> => {
      const send = async () => {
        const command = new PutObjectCommand({ ...at(key), Body: await open(), ContentLength: length });
        command.middlewareStack.add(
          (next) => (input) => {
            const { headers } = input.request as { headers: Record<string, string> };
            headers['x-amz-content-sha256'] = digest;
            return next(input);
          },
          { step: 'build' },
        );
        return client.send(command);
      };
      await ask(() => repeated(send));
    },
    remove: async (key: string): Promise<void> => {
      await ask(() => client.send(new DeleteObjectCommand(at(key))));
    },
    /**
     * Deletes an object without retries. A retry could arrive late and delete an object that was written again in the
     * meantime.
     */
    removeOnce: async (key: string): Promise<void> => {
      await ask(() => singleClient.send(new DeleteObjectCommand(at(key))));
    },
    /** Lists objects in key order, in pages of at most a thousand. */
    list: async function* (below = ''): AsyncGenerator<readonly Listed[]> {
      let ContinuationToken: string | undefined;
      do {
        const command = new ListObjectsV2Command({ Bucket, Prefix: `${prefix}${below}`, ContinuationToken });
        const page: ListObjectsV2CommandOutput = await ask(() => client.send(command));
        yield (page.Contents ?? []).map(({ Key = '', LastModified }) => ({
          key: Key.slice(prefix.length),
          modified: LastModified?.getTime() ?? 0,
        }));
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
    sign: (key: string, { contentType, contentDisposition }: SignedAnswer): Promise<string> =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...at(key),
          ResponseContentType: contentType,
          ResponseContentDisposition: contentDisposition,
          ResponseCacheControl: 'private, no-transform',
        }),
        { expiresIn: signedSeconds },
      ),
  };
}

export type Objects = ReturnType<typeof openObjects>;
