import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import express from 'express';
import { Invalid, TooLarge, UnsupportedMedia } from '../../errors.ts';
import { jsonBodyReader, runBodyParser } from '../../http/json-body.ts';
import { requireUtf8 } from '../../http/unreadable.ts';
import type { Facade } from '../facade.ts';
import type { BodyForm, Route } from '../route.ts';
import { callNames, isJsonPart, readTextPart } from './json-part.ts';
import { parseMultipart } from './multipart.ts';
import { parseMimeType, partNames, type SentBlob, storePart } from './sent-blob.ts';
import type { SentBytes } from './sent-bytes.ts';
import { receiveBytes, receiveFile } from './sent-file.ts';
import { uploadLimitOf } from './upload-limit.ts';

/** The maximum length of a boundary line (RFC 2046): two hyphens, 70 characters and the line break. */
const maxBoundaryLine = 74;
const firstLine = /^--([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\r?\n/;

/** Reads the beginning of a body, and puts it back into the stream. */
async function beginningOf(body: Readable): Promise<string> {
  const ended = once(body, 'end');
  ended.catch(() => {}); // `Promise.race` below throws this error.
  let held = Buffer.alloc(0);
  while (held.length < maxBoundaryLine && !held.includes('\n')) {
    const chunk = body.read() as Buffer | null;
    if (chunk) held = Buffer.concat([held, chunk]);
    else if (body.readableEnded) break;
    else await Promise.race([once(body, 'readable'), ended]);
  }
  if (held.length > 0) body.unshift(held);
  return held.subarray(0, maxBoundaryLine).toString('latin1');
}

/**
 * Returns the boundary of a multipart body whose Content-Type does not contain it. Some older JavaScript clients send
 * such requests, and the boundary can only be found in the first line of the body.
 * @throws Invalid if the body does not begin with a boundary
 */
export async function boundaryOf(body: Readable): Promise<string> {
  const [, boundary] = firstLine.exec(await beginningOf(body)) ?? [];
  if (!boundary) throw new Invalid('Content-Type must contain the boundary, or the body must begin with it.');
  return boundary;
}

/** The maximum number of fields in a form. Express has the same limit for urlencoded forms. */
const maxFields = 1000;

/**
 * Reads the fields of a multipart form by name.
 * @param bytes the maximum size of the form
 * @returns undefined for a form without a boundary, because older JavaScript clients send urlencoded forms with
 * this media type
 * @throws Invalid; TooLarge if the form is too large or has too many fields
 */
async function receiveFields(request: Request, bytes: number): Promise<Record<string, string> | undefined> {
  const { params } = parseMimeType(request.headers['content-type'] ?? '');
  const boundary = params.get('boundary');
  if (!boundary) return undefined;
  const fields = new Map<string, string>();
  let count = 0;
  for await (const part of parseMultipart(request, { boundary, limit: { bytes, setting: 'BODY_LIMIT' } })) {
    count += 1;
    if (count > maxFields) throw new TooLarge(`The form has more than ${maxFields} fields.`);
    fields.set(partNames(part, true).name ?? '', await readTextPart(part, bytes));
  }
  return Object.fromEntries(fields);
}

export interface ReceivedBody {
  readonly json: unknown;
  readonly blobs: readonly SentBlob[];
}

type Receiving = Pick<Facade, 'parseJsonOf' | 'services'>;

const maxBlobs = 1000;

const jsonTypes = [
  'application/json',
  'application/*+json',
  'application/json+nxentity',
  'application/json+nxrequest',
];
const formType = 'application/x-www-form-urlencoded';
const multipartTypes = ['multipart/form-data', 'multipart/related'];

const callTypes = {
  types: [...jsonTypes, formType, ...multipartTypes],
  words: `application/json, ${formType}, ${multipartTypes.join(' or ')}`,
};

const acceptedTypes = {
  call: callTypes,
  callWithFiles: callTypes,
  json: { types: jsonTypes, words: 'application/json' },
  jsonWithFile: {
    types: [...jsonTypes, 'multipart/form-data'],
    words: 'application/json or multipart/form-data',
  },
  fields: {
    types: ['application/json', formType, 'multipart/form-data'],
    words: `application/json, ${formType} or multipart/form-data`,
  },
} satisfies Record<Exclude<BodyForm, 'file' | 'oneFile'>, { types: string[]; words: string }>;

/** @throws Invalid if there is no body; UnsupportedMedia if the route does not accept its media type */
function requireBody(request: Request, form: Exclude<BodyForm, 'file'>): void {
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length) === 0) throw new Invalid('The body is missing.');
  if (form === 'oneFile') return;
  const { types, words } = acceptedTypes[form];
  if (!request.is(types)) throw new UnsupportedMedia(`The body must be ${words}.`);
}

/** The name of the part that contains the JSON of a new document. */
const documentNames: ReadonlySet<string> = new Set(['document']);

/** Reads the JSON part of a multipart body (§4.7). If the route accepts files, streams them into the blob store. */
async function receiveParts(
  { request, response }: { readonly request: Request; readonly response: Response },
  bodyForm: BodyForm,
  { services, parseJsonOf }: Receiving,
  { note, stored }: SentBytes,
): Promise<ReceivedBody> {
  const { config, blobs: store } = services;
  const limit = uploadLimitOf(request, config.UPLOAD_LIMIT);
  note(Number(request.headers['content-length'] ?? 0));
  const { essence, params } = parseMimeType(request.headers['content-type'] ?? '');
  const boundary = params.get('boundary') || (await boundaryOf(request));
  const isForm = essence === 'multipart/form-data';
  const isOneFile = bodyForm === 'oneFile';
  const isDocument = bodyForm === 'jsonWithFile';
  const names = isDocument ? documentNames : callNames;
  const what = isDocument ? 'the JSON of the document' : 'the JSON of the call';
  let call = isOneFile ? { json: undefined as unknown } : undefined;
  const blobs: SentBlob[] = [];
  for await (const part of parseMultipart(request, { boundary, limit, note })) {
    const isFirst = blobs.length === 0;
    if (!call && isJsonPart(part, { isForm, isFirst, names }))
      call = {
        json: await parseJsonOf(response, await readTextPart(part, config.BODY_LIMIT), what),
      };
    else if (bodyForm === 'call')
      throw new Invalid(
        'The operation does not accept files here; the body must contain only the JSON of the call.',
      );
    else if (isDocument && blobs.length === 1)
      throw new Invalid('The form must contain only one file, the file of the document.');
    else if (isOneFile && blobs.length === 1) throw new Invalid('The body must contain only one file.');
    else if (blobs.length === maxBlobs)
      throw new Invalid(`input: a call can have at most ${maxBlobs} files.`);
    else blobs.push(await storePart(part, isForm, { blobs: store, stored }));
  }
  if (!call)
    throw new Invalid(
      `The body must contain a part with ${what}, named ${isDocument ? 'document' : 'params or request'}.`,
    );
  return { ...call, blobs };
}

/** The result for routes that do not read a body. */
export const noBody: ReceivedBody = { json: undefined, blobs: [] };

/** Creates the function that receives request bodies. */
export function createBodyReceiver(receiving: Receiving) {
  const { services, parseJsonOf } = receiving;
  const limit = services.config.BODY_LIMIT;
  const readJson = jsonBodyReader(limit, parseJsonOf);
  const form = express.urlencoded({ limit, extended: false, type: () => true, verify: requireUtf8 });
  return async (
    { bodyForm }: Route,
    request: Request,
    response: Response,
    sent: SentBytes,
  ): Promise<ReceivedBody> => {
    if (bodyForm === 'file') return { json: undefined, blobs: [await receiveFile(request, services, sent)] };
    requireBody(request, bodyForm);
    if (bodyForm === 'oneFile' && !request.is('multipart/form-data'))
      return { json: undefined, blobs: [await receiveBytes(request, services, sent)] };
    if (request.is(multipartTypes)) {
      if (bodyForm !== 'fields') return receiveParts({ request, response }, bodyForm, receiving, sent);
      const fields = await receiveFields(request, limit);
      if (fields) return { json: fields, blobs: [] };
    }
    if (!request.is([formType, ...multipartTypes]))
      return { json: await readJson(request, response), blobs: [] };
    await runBodyParser(form, request, response);
    if (bodyForm === 'fields') return { json: request.body, blobs: [] };
    const { jsondata } = request.body as { jsondata?: unknown };
    request.body = undefined; // Releases the memory of the parsed form, as `jsonBodyReader` does.
    if (typeof jsondata !== 'string')
      throw new Invalid('The form must have exactly one field "jsondata", the JSON of the call.');
    return { json: await parseJsonOf(response, jsondata, 'jsondata'), blobs: [] };
  };
}
