import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { Invalid, TooLarge, UnsupportedMedia } from '../../errors.ts';
import type { Route } from '../route.ts';
import { requireUtf8 } from './body.ts';
import { type MultipartPart, parseMultipart } from './multipart.ts';
import { parseMimeType, partNames, requirePlainEncoding, type SentBlob, storePart } from './sent-blob.ts';
import { receiveFile } from './sent-file.ts';
import { type NoteBytes, uploadLimitOf } from './upload-limit.ts';

export interface ReceivedBody {
  readonly json: unknown;
  readonly blobs: readonly SentBlob[];
}

export interface ReceiveSettings {
  readonly blobs: BlobStore;
  readonly bodyLimit: number;
  readonly uploadLimit: number;
}

const maxBlobs = 1000;

const jsonTypes = [
  'application/json',
  'application/*+json',
  'application/json+nxentity',
  'application/json+nxrequest',
];
const formType = 'application/x-www-form-urlencoded';
const multipartTypes = ['multipart/form-data', 'multipart/related'];

/** Media types of bodies: one blob, the JSON of an entity, or the JSON of a call with or without blobs. */
const acceptedTypes = {
  blob: { types: ['multipart/form-data'], words: 'multipart/form-data' },
  json: { types: jsonTypes, words: 'application/json' },
  call: {
    types: [...jsonTypes, formType, ...multipartTypes],
    words: `application/json, ${formType}, ${multipartTypes.join(' or ')}`,
  },
};

/** Form fields that may hold the JSON; `undefined` is a part without a name. */
const jsonNames: ReadonlySet<string | undefined> = new Set(['params', 'request', 'jsondata', undefined]);

/** @throws Invalid when there is no body, UnsupportedMedia when the route does not accept its type. */
function requireBody(request: Request, { blobs }: Route): void {
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length) === 0) throw new Invalid('the body is missing');
  const { types, words } = acceptedTypes[blobs === undefined ? 'json' : blobs === 'alone' ? 'blob' : 'call'];
  if (!request.is(types)) throw new UnsupportedMedia(`the body must be ${words}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Invalid(cause instanceof Error ? cause.message : 'the JSON cannot be read', { cause });
  }
}

/** The JSON in the first part. @throws Invalid, TooLarge */
async function readJson(part: MultipartPart, isForm: boolean, limit: number): Promise<unknown> {
  const { name, file } = partNames(part, isForm);
  const { essence } = parseMimeType(part.headers['content-type'] ?? 'application/json');
  const isJson = essence === 'text/plain' || /^application\/([\w.-]+\+)?json(\+[\w.-]+)?$/.test(essence);
  if (file !== undefined || !isJson || (isForm && !jsonNames.has(name)))
    throw new Invalid('the first part must be the JSON of the call, called params or request');
  requirePlainEncoding(part);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of part.bytes) {
    length += chunk.byteLength;
    if (length > limit) throw new TooLarge(`the first part is larger than BODY_LIMIT, ${limit} bytes`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new Invalid('the first part is not UTF-8');
  return parseJson(bytes.toString('utf8'));
}

/** §4.7: reads the JSON part and streams the blobs, where the route accepts any, into the blob store. */
async function receiveParts(
  request: Request,
  { blobs: takes }: Route,
  settings: ReceiveSettings,
): Promise<ReceivedBody> {
  const { uploadLimit, bodyLimit, blobs: store } = settings;
  const limit = uploadLimitOf(request, uploadLimit);
  const { essence, params } = parseMimeType(request.headers['content-type'] ?? '');
  const boundary = params.get('boundary');
  if (!boundary) throw new Invalid('Content-Type: names no boundary');
  const isForm = essence === 'multipart/form-data';
  const isAlone = takes === 'alone';
  let call = isAlone ? { json: undefined as unknown } : undefined;
  const blobs: SentBlob[] = [];
  for await (const part of parseMultipart(request, { boundary, limit })) {
    if (!call) call = { json: await readJson(part, isForm, bodyLimit) };
    else if (!takes) throw new Invalid('input: no blobs are taken here: the body has a part too many');
    else if (isAlone && blobs.length === 1) throw new Invalid('the body has a part too many: it is one blob');
    else if (blobs.length === maxBlobs) throw new Invalid(`input: more than ${maxBlobs} blobs`);
    else blobs.push(await storePart(part, isForm, store));
  }
  if (!call) throw new Invalid('the body has no parts: the first one must be the JSON of the call');
  return { ...call, blobs };
}

const runParser = (handler: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    handler(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });

export function createBodyReceiver(settings: ReceiveSettings) {
  const { bodyLimit: limit } = settings;
  const json = express.json({ limit, type: () => true, strict: false, verify: requireUtf8 });
  const form = express.urlencoded({ limit, extended: false, verify: requireUtf8 });
  /** @param note of the bytes of a file. */
  return async (
    route: Route,
    request: Request,
    response: Response,
    note?: NoteBytes,
  ): Promise<ReceivedBody> => {
    if (!route.body) return { json: undefined, blobs: [] };
    if (route.blobs === 'file')
      return { json: undefined, blobs: [await receiveFile(request, settings, note)] };
    requireBody(request, route);
    if (request.is(multipartTypes)) return receiveParts(request, route, settings);
    const isForm = Boolean(request.is(formType));
    await runParser(isForm ? form : json, request, response);
    if (!isForm) return { json: request.body, blobs: [] };
    const { jsondata } = request.body as { jsondata?: unknown };
    if (typeof jsondata !== 'string')
      throw new Invalid('the form must have one field jsondata, the JSON of the call');
    return { json: parseJson(jsondata), blobs: [] };
  };
}
