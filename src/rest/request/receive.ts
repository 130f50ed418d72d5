import express, { type Request, type Response } from 'express';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { Invalid, UnsupportedMedia } from '../../errors.ts';
import { jsonBodyReader, type ParseJsonOf, runBodyParser } from '../../http/json-body.ts';
import { requireUtf8 } from '../../http/unreadable.ts';
import type { BodyForm, Route } from '../route.ts';
import { boundaryOf } from './boundary.ts';
import { receiveFields } from './form-fields.ts';
import { callNames, isJsonPart, readTextPart } from './json-part.ts';
import { parseMultipart } from './multipart.ts';
import { parseMimeType, type SentBlob, storePart } from './sent-blob.ts';
import type { SentBytes } from './sent-bytes.ts';
import { receiveBytes, receiveFile } from './sent-file.ts';
import { uploadLimitOf } from './upload-limit.ts';

export interface ReceivedBody {
  readonly json: unknown;
  readonly blobs: readonly SentBlob[];
}

export interface ReceiveSettings {
  readonly blobs: BlobStore;
  readonly bodyLimit: number;
  readonly uploadLimit: number;
  readonly parseJsonOf: ParseJsonOf;
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

/** @throws Invalid when there is no body, UnsupportedMedia when the route does not accept its type. */
function requireBody(request: Request, form: Exclude<BodyForm, 'file'>): void {
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length) === 0) throw new Invalid('the body is missing');
  if (form === 'oneFile') return;
  const { types, words } = acceptedTypes[form];
  if (!request.is(types)) throw new UnsupportedMedia(`the body must be ${words}`);
}

/** The name of the part with the JSON of a new document. */
const documentNames: ReadonlySet<string> = new Set(['document']);

/** §4.7: reads the JSON part and streams the blobs, where the route accepts any, into the blob store. */
async function receiveParts(
  { request, response }: { readonly request: Request; readonly response: Response },
  bodyForm: BodyForm,
  settings: ReceiveSettings,
  { note, stored }: SentBytes,
): Promise<ReceivedBody> {
  const { uploadLimit, bodyLimit, blobs: store, parseJsonOf } = settings;
  const limit = uploadLimitOf(request, uploadLimit);
  note(Number(request.headers['content-length'] ?? 0));
  const { essence, params } = parseMimeType(request.headers['content-type'] ?? '');
  const boundary = params.get('boundary') || (await boundaryOf(request));
  const isForm = essence === 'multipart/form-data';
  const isAlone = bodyForm === 'oneFile';
  const isDocument = bodyForm === 'jsonWithFile';
  const names = isDocument ? documentNames : callNames;
  const what = isDocument ? 'the JSON of the document' : 'the JSON of the call';
  let call = isAlone ? { json: undefined as unknown } : undefined;
  const blobs: SentBlob[] = [];
  for await (const part of parseMultipart(request, { boundary, limit, note })) {
    const isFirst = blobs.length === 0;
    if (!call && isJsonPart(part, { isForm, isFirst, names }))
      call = {
        json: await parseJsonOf(response, await readTextPart(part, bodyLimit), what),
      };
    else if (bodyForm === 'call')
      throw new Invalid('input: no blobs are taken here: the body has a part too many');
    else if (isDocument && blobs.length === 1)
      throw new Invalid('The form has more than one file: a document is created with one.');
    else if (isAlone && blobs.length === 1) throw new Invalid('the body has a part too many: it is one blob');
    else if (blobs.length === maxBlobs) throw new Invalid(`input: more than ${maxBlobs} blobs`);
    else blobs.push(await storePart(part, isForm, { blobs: store, stored }));
  }
  if (!call)
    throw new Invalid(
      `the body has no part with ${what}, called ${isDocument ? 'document' : 'params or request'}`,
    );
  return { ...call, blobs };
}

export function createBodyReceiver(settings: ReceiveSettings) {
  const { bodyLimit: limit, parseJsonOf } = settings;
  const readJson = jsonBodyReader(limit, parseJsonOf);
  const form = express.urlencoded({ limit, extended: false, type: () => true, verify: requireUtf8 });
  return async (
    { body, bodyForm }: Route,
    request: Request,
    response: Response,
    sent: SentBytes,
  ): Promise<ReceivedBody> => {
    if (!body) return { json: undefined, blobs: [] };
    if (bodyForm === 'file') return { json: undefined, blobs: [await receiveFile(request, settings, sent)] };
    requireBody(request, bodyForm);
    if (bodyForm === 'oneFile' && !request.is('multipart/form-data'))
      return { json: undefined, blobs: [await receiveBytes(request, settings, sent)] };
    if (request.is(multipartTypes)) {
      if (bodyForm !== 'fields') return receiveParts({ request, response }, bodyForm, settings, sent);
      const fields = await receiveFields(request, limit);
      if (fields) return { json: fields, blobs: [] };
    }
    if (!request.is([formType, ...multipartTypes]))
      return { json: await readJson(request, response), blobs: [] };
    await runBodyParser(form, request, response);
    if (bodyForm === 'fields') return { json: request.body, blobs: [] };
    const { jsondata } = request.body as { jsondata?: unknown };
    request.body = undefined; // as in `jsonBodyReader`
    if (typeof jsondata !== 'string')
      throw new Invalid('the form must have one field jsondata, the JSON of the call');
    return { json: await parseJsonOf(response, jsondata, 'jsondata'), blobs: [] };
  };
}
