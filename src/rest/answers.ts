import type { Request, Response } from 'express';
import { type OutputKind, resultField } from '../automation/operation.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { type Bytes, sendBytes } from './bytes.ts';
import { toCsv } from './csv.ts';
import { sendParts } from './parts.ts';
import type { Route } from './route.ts';
import { writeJson } from './write-json.ts';

/** What is sent, and how; nothing where there is nothing to say. */
export interface Answer {
  readonly as: 'entity' | 'json' | 'csv' | 'bytes' | 'parts' | 'text' | 'execution' | 'nothing';
  readonly value: unknown;
}

/** What the answer of an operation is sent as. */
const sentAs: Readonly<Record<OutputKind, Answer['as']>> = {
  ...{ void: 'nothing', document: 'entity', documents: 'entity', page: 'entity', user: 'entity' },
  logEntries: 'entity',
  ...{ blob: 'bytes', bloblist: 'parts', json: 'json' },
  ...{ string: 'entity', boolean: 'entity', number: 'entity', date: 'entity', list: 'entity', map: 'entity' },
};

const nothing: Answer = { as: 'nothing', value: null };

/** What there is in the result of an operation (§4.7). */
function answerOf(result: { readonly kind: OutputKind }): Answer {
  const { kind } = result;
  if (kind === 'void') return nothing;
  const value = (result as Record<string, unknown>)[resultField[kind]];
  if (Array.isArray(value) && value.length === 0 && kind === 'bloblist') return nothing;
  return { as: sentAs[kind], value };
}

/** The entries of a list as CSV. */
export const asCsv = ({ csv = [] }: Pick<Route, 'csv'>, shown: unknown): Answer => ({
  as: 'csv',
  value: toCsv(csv, (shown as { entries: Record<string, unknown>[] }).entries),
});

/** What a row answers with what it was told. */
export const toAnswer = ({ answer }: Pick<Route, 'answer'>, shown: unknown): Answer =>
  answer === 'result' ? answerOf(shown as { kind: OutputKind }) : { as: answer, value: shown };

/** The content type names the entity type too, as existing clients choose their reader by it. */
const typeOf = (value: unknown): string => {
  const type = (value as Record<string, unknown> | null)?.['entity-type'];
  const suffix = typeof type === 'string' ? `; nuxeo-entity=${type}` : '';
  return `application/json; charset=utf-8${suffix}`;
};

function sendText(response: Response, type: string, body: string): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

const sendJson = async (response: Response, type: string, value: unknown): Promise<void> =>
  sendText(response, type, await writeJson(value));

/** A file of which the caller got something. */
export interface Sent extends Pick<Bytes, 'document' | 'name' | 'digest'> {
  /** Whether it was a range of its bytes. */
  readonly isPart: boolean;
}

/** A request, and where its answer goes. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly blobs: BlobStore;
  /** Told of every file whose bytes went out. */
  readonly onSent: (sent: Sent) => void;
}

async function sendFile(bytes: Bytes, { request, response, blobs, onSent }: Exchange): Promise<void> {
  await sendBytes(request, response, bytes, blobs);
  const isSent = response.statusCode === 200 || response.statusCode === 206;
  if (isSent && request.method !== 'HEAD') onSent({ ...bytes, isPart: response.statusCode === 206 });
}

async function sendFiles(files: readonly Bytes[], { response, blobs, onSent }: Exchange): Promise<void> {
  await sendParts(response, files, blobs);
  for (const bytes of files) onSent({ ...bytes, isPart: false });
}

/** What a call would have answered at once, kept until it is asked for: of files what they are, not their bytes. */
export interface Kept {
  readonly status: number;
  readonly etag?: string;
  readonly answer: Answer;
}

/** An execution as its rows show it. */
interface ExecutionShown {
  readonly isDone: boolean;
  /** Where it is asked for, and done. */
  readonly answer?: Kept | null;
}

/** Says that an execution is under way, or where its answer is; or answers as the call would have. */
export async function sendExecution({ isDone, answer }: ExecutionShown, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  if (answer) {
    if (answer.etag) response.setHeader('ETag', answer.etag);
    response.status(answer.status);
    return send(answer.answer, exchange);
  }
  const isStatus = answer === undefined;
  if (!isDone) {
    response.status(isStatus ? 200 : 202);
    // Clients that accept JSON alone would take a text for what they wait for.
    if (request.accepts(['text', 'json']) === 'json') return void response.json('RUNNING');
    return void response.type('text').send('RUNNING');
  }
  response.setHeader('Location', request.originalUrl.replace(/\/status\/*(?=\?|$)/, ''));
  response.status(303).end();
}

/** Sends an answer whose status and general headers are set; resolves when it is sent. */
export async function send({ as, value }: Answer, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  switch (as) {
    case 'nothing':
      response.status(204).end();
      return;
    case 'entity':
      return sendJson(response, typeOf(value), value);
    case 'json':
      return sendJson(response, 'application/json; charset=utf-8', value);
    case 'csv':
      return sendText(response, 'text/csv; charset=utf-8', value as string);
    case 'bytes':
      return sendFile(value as Bytes, exchange);
    case 'text':
      response.type('text').send(String(value));
      return;
    case 'parts':
      return sendFiles(value as Bytes[], exchange);
    case 'execution':
      return sendExecution(value as ExecutionShown, exchange);
  }
}
