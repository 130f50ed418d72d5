import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import S3rver from 's3rver';
import { newFolder } from './folder.ts';

/**
 * Environment variables for the AWS SDK: the key pair of the test server, its region, and a setting that disables a
 * warning about the Node version.
 */
export const s3Environment = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'us-east-1',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
} as const;

export interface S3Server extends AsyncDisposable {
  readonly folder: string;
  readonly endpoint: string;
  /** Returns a value for BLOB_STORE: the server's only bucket with the given prefix. */
  readonly address: (prefix: string) => string;
  /** The requests received since the server was started, in the form `PUT bucket/key?query`. */
  readonly requests: string[];
  /**
   * Intercepts a request. Returns a status with which to respond instead of the server, `nothing` to close the
   * connection, or undefined to pass the request on.
   */
  intercept: ((request: string) => number | 'nothing' | undefined) | undefined;
  /** Whether the server supports UploadPartCopy, as S3 does. */
  copiesParts: boolean;
}

/** The parts of a Koa context that this file uses. */
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

/** Implements UploadPartCopy, which the S3 server does not support. */
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

/**
 * Makes objects visible only when they are complete, as S3 does. Otherwise, the server would write them in place.
 */
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

/** Starts an S3 server with one bucket, which stores its data in a folder. Disposing of the server stops it. */
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
