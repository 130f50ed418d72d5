import { createReadStream } from 'node:fs';
import type { Request, RequestHandler, Response } from 'express';
import type { BlobStore } from '../blobs/blob-store.ts';
import { NotJoined } from '../errors.ts';
import { type Operation, toOperation } from '../operation.ts';
import { call, input } from '../selection.ts';
import { inputsOf } from './inputs.ts';
import type { Operations } from './operations.ts';
import type { createReceiver } from './receive.ts';
import type { Route } from './route.ts';
import type { SentBlob } from './sent-blob.ts';
import { callerOf, type RestServices, serve } from './serve.ts';

/** How often chunks are joined that change meanwhile, since others send them too. */
const tries = 4;

const batch = { batch: input('address.batch') };
const upload = { ...batch, file: input('address.file'), upload: input('body') };

/** The bytes of some blobs, one after the other. */
async function* together(store: BlobStore, digests: readonly string[]): AsyncGenerator<Buffer> {
  for (const digest of digests) yield* createReadStream(store.file(digest));
}

/** What stands beside the tables for the rows that take files. */
interface Means {
  readonly services: RestServices;
  readonly operations: Operations;
  readonly receive: ReturnType<typeof createReceiver>;
}

/**
 * §4.7: serves a row that takes a file into a batch. The batch is looked for before the body is read, and the chunks of a
 * file are joined before the last of them is written, since nobody may wait for that in a transaction.
 */
export function serveUpload(route: Route, { services, operations, receive }: Means): RequestHandler {
  const { schema, blobs } = services;
  const answer = serve(route, services, operations);
  const known = toOperation(schema, 'query', { uploadBatch: call(batch, { id: true }) });
  const toJoin = toOperation(schema, 'query', { chunksToJoin: call(upload) });

  /** Asks for itself, not for the caller: an answer that is kept for a key is none of this. */
  async function ask(operation: Operation, request: Request, response: Response, body?: SentBlob) {
    const { caller } = callerOf(services, request, response);
    const inputs = inputsOf(operation, request, body);
    return services.run(caller, 'query', (asking) => asking(operation, inputs));
  }

  async function joined(request: Request, response: Response, blob: SentBlob): Promise<SentBlob> {
    const { chunksToJoin: of } = await ask(toJoin, request, response, blob);
    if (!Array.isArray(of) || of.length === 0) return blob;
    const { digest } = await blobs.write(together(blobs, of));
    return { ...blob, joined: { digest, of } };
  }

  return async (request, response) => {
    // The answer to a write that is sent again is there even if the batch is not any more.
    if (callerOf(services, request, response).headers.key === undefined) await ask(known, request, response);
    const { json, blobs: sent } = await receive(route, request, response);
    for (let trial = 1; ; trial += 1) {
      const whole = await Promise.all(sent.map((blob) => joined(request, response, blob)));
      try {
        return await answer(request, response, { json, blobs: whole });
      } catch (error) {
        if (!(error instanceof NotJoined) || trial === tries) throw error;
      }
    }
  };
}
