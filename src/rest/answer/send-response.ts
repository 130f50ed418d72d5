import type { Request, Response } from 'express';
import type { OutputKind } from '../../automation/kinds.ts';
import { resultField } from '../../automation/output-kinds.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { jsonType } from '../../http/errors.ts';
import { withoutTrailing } from '../../model/trailing.ts';
import type { JsonPart } from '../../model/values/json-steps.ts';
import type { Route } from '../route.ts';
import { csvOf } from './csv.ts';
import { isPreview, type ServedBlob, sendBlob, viewerPolicy } from './send-blob.ts';
import { sendMultipart } from './send-multipart.ts';
import { sendParts } from './send-parts.ts';
import { bytesOfPart } from './shared-entity.ts';
import { writeJson } from './write-json.ts';

/** A value and how it is sent. `nothing` stands for status 204 without a body. */
interface ResponseBody {
  readonly as: 'entity' | 'json' | 'csv' | 'bytes' | 'parts' | 'text' | 'page' | 'execution' | 'nothing';
  readonly value: unknown;
}

const sentAs: Readonly<Record<OutputKind, ResponseBody['as']>> = {
  void: 'nothing',
  document: 'entity',
  documents: 'entity',
  page: 'entity',
  user: 'entity',
  recordSet: 'entity',
  logEntries: 'entity',
  blob: 'bytes',
  bloblist: 'parts',
  json: 'json',
  string: 'entity',
  boolean: 'entity',
  number: 'entity',
  date: 'entity',
  list: 'entity',
  map: 'entity',
};

export const nothing: ResponseBody = { as: 'nothing', value: null };

function answerOf(result: { readonly kind: OutputKind }): ResponseBody {
  const { kind } = result;
  if (kind === 'void') return nothing;
  const value = (result as Record<string, unknown>)[resultField[kind]];
  if (Array.isArray(value) && value.length === 0 && kind === 'bloblist') return nothing;
  return { as: sentAs[kind], value };
}

export const toCsvBody = (route: Pick<Route, 'csv'>, shown: unknown): ResponseBody => {
  const { entries } = shown as { entries: Record<string, unknown>[] };
  return { as: 'csv', value: csvOf(route, entries) };
};

function conversionOf({ blob, scheduled }: { blob: unknown; scheduled: unknown }): ResponseBody {
  return scheduled ? { as: 'entity', value: scheduled } : { as: 'bytes', value: blob };
}

export function toResponseBody({ answer }: Pick<Route, 'answer'>, shown: unknown): ResponseBody {
  if (answer === 'result') return answerOf(shown as { kind: OutputKind });
  if (answer === 'conversion') return conversionOf(shown as { blob: unknown; scheduled: unknown });
  return { as: answer, value: shown };
}

const typeOf = (value: unknown): string =>
  jsonType((value as Record<string, unknown> | null)?.['entity-type']);

/**
 * Sends a body.
 * @returns its length in bytes
 */
function sendBody(response: Response, type: string, body: JsonPart): number {
  const length = bytesOfPart(body);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', length);
  response.end(body);
  return length;
}

function sendPreview(response: Response, page: string): void {
  response.set({ 'Content-Security-Policy': viewerPolicy, 'Cache-Control': 'private, no-cache' });
  sendBody(response, 'text/html; charset=utf-8', page);
}

async function sendJson(value: unknown, exchange: Exchange): Promise<void> {
  const { response, answerLimit, hasReadMuch, onWritten } = exchange;
  onWritten(sendBody(response, typeOf(value), await writeJson(value, answerLimit, hasReadMuch)));
}

/** A file that has been sent, completely or in part, by this server or by the blob store after a redirect. */
export interface FileDownload extends Pick<ServedBlob, 'document' | 'name' | 'digest'> {
  readonly isRange: boolean;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly blobs: BlobStore;
  readonly answerLimit: number;
  /** Whether so many rows were read that the response may be long. */
  readonly hasReadMuch: boolean;
  /**
   * Called with the length of the JSON once it has been written. After that, the response needs no further memory.
   */
  readonly onWritten: (bytes: number) => void;
  readonly onSent: (sent: FileDownload) => void;
}

async function sendFile(bytes: ServedBlob, { request, response, blobs, onSent }: Exchange): Promise<void> {
  await sendBlob(request, response, bytes, blobs);
  const { statusCode } = response;
  const isRedirected = statusCode === 302;
  const isSent = statusCode === 200 || statusCode === 206 || isRedirected;
  if (isSent && request.method !== 'HEAD' && !isPreview(request, bytes))
    onSent({
      ...bytes,
      isRange: statusCode === 206 || (isRedirected && request.headers.range !== undefined),
    });
}

async function sendFiles(files: readonly ServedBlob[], { response, blobs, onSent }: Exchange): Promise<void> {
  await sendMultipart(response, files, blobs);
  for (const bytes of files) onSent({ ...bytes, isRange: false });
}

/**
 * The response that the same call would have received synchronously. It is stored until the client requests it.
 * Files are stored as references.
 */
export interface StoredResponse {
  readonly status: number;
  readonly etag?: string;
  readonly answer: ResponseBody;
}

interface ExecutionShown {
  readonly isDone: boolean;
  /**
   * Absent in responses to `/status`; null while the execution is running; afterwards a `StoredResponse`, or any JSON
   * if a GraphQL client has completed the execution.
   */
  readonly answer?: unknown;
  /** The bulk action that the operation has started, if there is one. */
  readonly bulkStatus: BulkStatusShown | null;
}

interface BulkStatusShown {
  /** The file of a completed export. */
  readonly result?: { readonly url: string };
}

const isStored = (answer: unknown): answer is StoredResponse =>
  typeof answer === 'object' && answer !== null && 'status' in answer && 'answer' in answer;

const seeOther = (response: Response, address: string): void =>
  void response.setHeader('Location', address).status(303).end();

/**
 * Redirects to the file of a completed export. For all other bulk actions, sends the status in the same form as the
 * operation that started the action.
 */
function sendEndedAction(status: BulkStatusShown, exchange: Exchange): Promise<void> | void {
  if (status.result) return seeOther(exchange.response, status.result.url);
  return sendResponse({ as: 'entity', value: { ...status, value: status } }, exchange);
}

/** Sends the state of an execution: whether it is still running, the URL of its result, or the result itself. */
async function sendExecution(
  { isDone, answer, bulkStatus }: ExecutionShown,
  exchange: Exchange,
): Promise<void> {
  const { request, response } = exchange;
  const isSilent = isStored(answer) && answer.status === 204;
  if (bulkStatus && answer && !isSilent) return sendEndedAction(bulkStatus, exchange);
  if (isStored(answer)) {
    if (answer.etag) response.setHeader('ETag', answer.etag);
    response.status(answer.status);
    // The length was already checked when the response was stored.
    return sendResponse(answer.answer, { ...exchange, answerLimit: Number.MAX_SAFE_INTEGER });
  }
  if (answer !== undefined && answer !== null) return sendResponse({ as: 'json', value: answer }, exchange);
  const isStatus = answer === undefined;
  if (!isDone) {
    response.status(isStatus ? 200 : 202);
    if (bulkStatus) return sendResponse({ as: 'entity', value: bulkStatus }, exchange);
    // Clients that accept only JSON would mistake plain text for the result.
    if (request.accepts(['text', 'json']) === 'json') return void response.json('RUNNING');
    return void response.type('text').send('RUNNING');
  }
  const [path = '', ...query] = request.originalUrl.split('?');
  const address = withoutTrailing(path, '/').slice(0, -'/status'.length);
  seeOther(response, [address, ...query].join('?'));
}

/** Sends a response whose status and general headers are already set. Resolves when the response is complete. */
export async function sendResponse({ as, value }: ResponseBody, exchange: Exchange): Promise<void> {
  const { response } = exchange;
  switch (as) {
    case 'nothing':
      response.status(204).end();
      return;
    case 'entity':
    case 'json':
      return sendJson(value, exchange);
    case 'csv':
      response.setHeader('Content-Type', 'text/csv; charset=utf-8');
      return sendParts(response, value as AsyncIterable<string>);
    case 'bytes':
      return sendFile(value as ServedBlob, exchange);
    case 'text':
      response.type('text').send(String(value));
      return;
    case 'page':
      return sendPreview(response, String(value));
    case 'parts':
      return sendFiles(value as ServedBlob[], exchange);
    case 'execution':
      return sendExecution(value as ExecutionShown, exchange);
  }
}
