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

/** Milliseconds in which a store has to send something, while it is waited for. */
const patience = 30_000;

/** Ends an answer of a store that has stopped sending; a full one only waits for a slow reader. */
function destroyWhenStalled(answer: IncomingMessage): IncomingMessage {
  let received = -1;
  const timer = setInterval(() => {
    const { bytesRead = 0 } = answer.socket ?? {};
    const isWaiting = !answer.complete && answer.readableLength < answer.readableHighWaterMark;
    if (isWaiting && bytesRead === received)
      answer.destroy(new Error(`the blob store sent nothing for ${patience} ms`));
    received = bytesRead;
  }, patience).unref();
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

/** Seconds. */
const signedFor = 60;

const absentIfMissing = (error: unknown): undefined => {
  if (isMissing(error)) return undefined;
  throw error;
};

/** The objects below the prefix of an address, by the rest of their keys. */
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
    /** Says whether the bucket is there. @throws as the SDK does */
    checkBucket: () => client.send(new HeadBucketCommand({ Bucket })),
    find: async (key: string): Promise<Found | undefined> => {
      const found = await ask(() => client.send(new HeadObjectCommand(at(key)))).catch(absentIfMissing);
      if (!found) return undefined;
      return { length: found.ContentLength ?? 0, modified: found.LastModified?.getTime() ?? 0 };
    },
    /** @returns undefined when there is no such object. */
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
    /** Puts an object of a known digest, which is signed in place of one that the SDK would compute. */
    send: async (key: string, { digest, length, open }: Spooled): Promise<void> => {
      const send = async () => {
        const command = new PutObjectCommand({ ...at(key), Body: await open(), ContentLength: length });
        command.middlewareStack.add(
          (next) => (given) => {
            const { headers } = given.request as { headers: Record<string, string> };
            headers['x-amz-content-sha256'] = digest;
            return next(given);
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
    /** Sends the request once: a repetition might delete what was written since. */
    removeOnce: async (key: string): Promise<void> => {
      await ask(() => singleClient.send(new DeleteObjectCommand(at(key))));
    },
    /** Up to a thousand at a time, in the order of their keys. */
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
        { expiresIn: signedFor },
      ),
  };
}

export type Objects = ReturnType<typeof openObjects>;
