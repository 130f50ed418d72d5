import type { Request, Response } from 'express';
import { storedFileType } from '../../blobs/media-type.ts';
import { ChunksChanged, Conflict, Invalid, NotFound } from '../../errors.ts';
import { type GraphqlOperation, toOperation } from '../../selection/operation.ts';
import { call, input } from '../../selection/selection.ts';
import type { RouteCompiler } from '../compile-route.ts';
import type { Facade } from '../facade.ts';
import { inputValues } from '../request/inputs.ts';
import type { createBodyReceiver } from '../request/receive.ts';
import type { SentBlob } from '../request/sent-blob.ts';
import type { CountSent, SentBytes } from '../request/sent-bytes.ts';
import { type FileHeader, sentExtent } from '../request/sent-file.ts';
import type { Route } from '../route.ts';
import { callerAndHeaders, serveRoute } from '../serve-route.ts';

/** The maximum number of attempts to join chunks that other requests keep replacing. */
const maxAttempts = 4;

const file = { batch: input('address.batch'), file: input('address.file') };
const upload = { ...file, upload: input('body') };

const headersOfFields: Readonly<Record<string, FileHeader>> = {
  mimeType: 'X-File-Type',
  'chunk.index': 'X-Upload-Chunk-Index',
  'chunk.count': 'X-Upload-Chunk-Count',
  'chunk.size': 'X-File-Size',
};

/** Extends an error message with the name of the header that contains the invalid field. */
function withHeaderName(error: unknown): unknown {
  if (!(error instanceof Invalid || error instanceof Conflict)) return error;
  const header = headersOfFields[error.field ?? ''];
  const Kind = error instanceof Invalid ? Invalid : Conflict;
  return header ? new Kind(error.fault, { field: header, cause: error }) : error;
}

interface Received extends Pick<SentBytes, 'stored'> {
  readonly blob: SentBlob;
  /** Whether no other request of this process is joining chunks of the batch. */
  readonly isExclusive: boolean;
}

function createOneByOne() {
  const last = new Map<string, Promise<unknown>>();
  return async (key: string, work: () => Promise<unknown>): Promise<void> => {
    const mine = (last.get(key) ?? Promise.resolve()).catch(() => undefined).then(work);
    last.set(key, mine);
    try {
      await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

interface Uploading {
  readonly facade: Facade;
  readonly compile: RouteCompiler;
  readonly receive: ReturnType<typeof createBodyReceiver>;
  readonly countSent: CountSent;
}

/**
 * Serves a route that adds a file to an upload batch (§4.7). If the batch is unknown or would exceed the user's
 * quota, the request is rejected before its body is read. Chunks are joined before the transaction that adds the
 * last chunk, because joining a gigabyte within it would hold its row locks for seconds.
 */
export function serveUpload(
  route: Route,
  { facade, compile, receive, countSent }: Uploading,
): (request: Request, response: Response) => Promise<void> {
  const { schema, services } = facade;
  const { blobs, config } = services;
  const answer = serveRoute(route, facade, compile);
  const room = toOperation(schema, 'query', {
    uploadRoom: call({ ...file, chunk: input('body.chunk') }),
  });
  const toJoin = toOperation(schema, 'query', { chunksToJoin: call(upload) });
  const oneByOne = createOneByOne();

  /** Runs a query without the `Idempotency-Key` of the request, because the key applies only to the write. */
  async function ask(operation: GraphqlOperation, request: Request, response: Response, body: object) {
    const { caller } = callerAndHeaders(facade, request, response);
    const inputs = inputValues(operation, request, body);
    return facade.run(caller, 'query', (asking) => asking(operation, inputs));
  }

  /** Adds a file or chunk and sends the response. The last missing chunk is added together with the joined file. */
  async function addOnce(request: Request, response: Response, received: Received): Promise<unknown> {
    const { blob, stored, isExclusive } = received;
    const { chunksToJoin: of } = await ask(toJoin, request, response, blob);
    if (!Array.isArray(of) || of.length === 0)
      return answer(request, response, { json: undefined, blobs: [blob] });
    // Requests that send the last chunk run one after the other, so every request but the first finds that the file is
    // complete.
    if (!isExclusive)
      return oneByOne(String(request.params.batch), () =>
        addOnce(request, response, { ...received, isExclusive: true }),
      );
    const { digest, length } = await blobs.join(of);
    stored(length);
    const { name, mimeType: declared, encoding } = blob;
    const type = await storedFileType(blobs, digest, { name, declared, encoding });
    return answer(request, response, {
      json: undefined,
      blobs: [{ ...blob, ...type, joined: { digest, of } }],
    });
  }

  async function roomFor(request: Request, response: Response, isRepeatable: boolean): Promise<number> {
    try {
      const { uploadRoom } = await ask(room, request, response, { chunk: sentExtent(request).chunk?.index });
      return uploadRoom as number;
    } catch (error) {
      // A repeated write gets its stored response even if the batch no longer exists. Any other write is rejected.
      if (error instanceof NotFound && isRepeatable) return config.UPLOAD_QUOTA;
      throw error;
    }
  }

  async function add(request: Request, response: Response, bytes: SentBytes): Promise<void> {
    const [blob] = (await receive(route, request, response, bytes)).blobs as [SentBlob];
    for (let attempt = 1; ; attempt += 1) {
      try {
        await addOnce(request, response, { blob, stored: bytes.stored, isExclusive: false });
        return;
      } catch (error) {
        if (!(error instanceof ChunksChanged) || attempt === maxAttempts) throw withHeaderName(error);
      }
    }
  }

  return async (request, response) => {
    const { caller, headers } = callerAndHeaders(facade, request, response);
    const room = await roomFor(request, response, headers.idempotencyKey !== undefined);
    await countSent(caller.user.id, room, (bytes) => add(request, response, bytes));
  };
}
