import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import S3rver from 's3rver';
import { newFolder } from './folder.ts';

/** Environment variables for the AWS SDK: the key pair of the test server, its region, and no warning about Node. */
export const s3Environment = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'us-east-1',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
} as const;

export interface S3Server extends AsyncDisposable {
  readonly folder: string;
  readonly endpoint: string;
  /** The setting BLOB_STORE for a prefix of its only bucket. */
  readonly address: (prefix: string) => string;
  /** Requests since the start, as `PUT bucket/key?query`. */
  readonly requests: string[];
  /**
   * Returns a status to answer instead of the server, or `nothing` to close the connection; undefined lets a request
   * pass.
   */
  intercept: ((request: string) => number | 'nothing' | undefined) | undefined;
  /** Whether the server supports UploadPartCopy, like S3. */
  copiesParts: boolean;
}

/** The parts of a Koa context that are used here. */
interface Context {
  readonly method: string;
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly req: IncomingMessage;
  get(header: string): string;
  throw(status: number): never;
  status: number;
  type: string;
  body: unknown;
}
type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;

interface PutObject {
  bucket: string;
  key: string;
}

interface PartStore {
  getResourcePath(bucket: string, key: string, resource: string): string;
  putObject(object: PutObject): Promise<unknown>;
  getObject(bucket: string, key: string): Promise<{ content: NodeJS.ReadableStream } | null>;
  putPart(
    bucket: string,
    upload: string,
    part: string,
    content: NodeJS.ReadableStream,
  ): Promise<{ md5: string }>;
}

/** Answers UploadPartCopy, which the S3 server does not implement. */
async function copyPart(context: Context, store: PartStore): Promise<void> {
  const [bucket = '', ...key] = context.get('x-amz-copy-source').replace(/^\//, '').split('/');
  const object = await store.getObject(bucket, decodeURIComponent(key.join('/')));
  if (!object) return context.throw(404);
  const { uploadId, partNumber } = context.query;
  const { md5 } = await store.putPart(bucket, String(uploadId), String(partNumber), object.content);
  context.status = 200;
  context.type = 'application/xml';
  context.body = `<CopyPartResult><ETag>"${md5}"</ETag></CopyPartResult>`;
}

/** Makes objects appear only when they are complete, like in S3; the server itself would write them in place. */
function putAtOnce(store: PartStore): void {
  const put = store.putObject.bind(store);
  store.putObject = async (object) => {
    const { bucket, key } = object;
    object.key = `${key}.${randomUUID()}`;
    const answer = await put(object);
    for (const resource of ['object.md5', 'metadata.json', 'object']) {
      const [from, to] = [object.key, key].map((each) => store.getResourcePath(bucket, each, resource));
      await rename(from ?? '', to ?? '');
    }
    object.key = key;
    return answer;
  };
}

/** Starts an S3 server with one bucket on a folder and a free port. Disposing of it stops it. */
export async function startS3Server(folder = newFolder()): Promise<S3Server> {
  Object.assign(process.env, s3Environment);
  await mkdir(join(folder, 'quire'), { recursive: true });
  const s3 = new S3rver({ directory: folder, silent: true, vhostBuckets: false });
  const { store, middleware } = s3 as unknown as { store: PartStore; middleware: Middleware[] };
  putAtOnce(store);
  const requests: string[] = [];
  const before: Middleware = async (context, next) => {
    const request = `${context.method} ${decodeURIComponent(context.url.slice(1))}`;
    requests.push(request);
    const answer = server.intercept?.(request);
    if (answer === 'nothing') return void context.req.socket.destroy();
    if (answer !== undefined) context.status = answer;
    else if (server.copiesParts && context.get('x-amz-copy-source') && context.query.partNumber)
      await copyPart(context, store);
    else await next();
  };
  middleware.unshift(before);
  const http: Server = createServer(s3.callback());
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const server: S3Server = {
    folder,
    endpoint,
    address: (prefix) => `s3://quire/${prefix}?endpoint=${endpoint}&pathStyle=true`,
    requests,
    intercept: undefined,
    copiesParts: true,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}
