import { ownHeaders, refusal } from '../graphql/client.ts';
import { text } from '../texts/text.ts';
import { persistently, post, SignedOut } from './persistently.ts';

/** The number of bytes in a chunk. A smaller file is sent in one request. */
const chunkSize = 5 * 1024 * 1024;

interface Part {
  readonly address: string;
  readonly body: Blob;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Sending {
  readonly signal: AbortSignal;
  readonly onSent: (bytes: number) => void;
}

/** Sends a file or a chunk with XMLHttpRequest, because `fetch` does not report the progress of uploads. */
const sendPart = ({ address, body, headers }: Part, { signal, onSent }: Sending): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.onloadend = () => signal.removeEventListener('abort', stop);
    request.onabort = () => reject(signal.reason);
    request.open('POST', address);
    for (const [name, value] of Object.entries({ ...ownHeaders(), ...headers }))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onerror = () => reject(new Error(text('upload.disconnected')));
    request.onload = () => {
      if (request.status < 300) resolve();
      else if (request.status === 401) reject(new SignedOut());
      else reject(refusal(request, request.responseText));
    };
    request.send(body);
  });

/** Deletes an upload batch. Errors are ignored, because the server deletes old batches after a day anyway. */
const dropBatch = (batch: string): Promise<unknown> =>
  fetch(`api/v1/upload/${batch}`, { method: 'DELETE', headers: ownHeaders() }).catch(() => undefined);

/** Asks the server which chunks it received before the connection was lost. */
async function receivedChunks(address: string): Promise<ReadonlySet<number>> {
  const response = await fetch(address, { headers: ownHeaders() });
  if (response.status === 401) throw new SignedOut();
  if (response.status === 404) return new Set();
  const { uploadedChunkIds = [] } = (await response.json()) as { uploadedChunkIds?: number[] };
  return new Set(uploadedChunkIds);
}

async function sendChunks(
  address: string,
  file: File,
  headers: Part['headers'],
  { signal, onSent }: Sending,
) {
  const count = Math.ceil(file.size / chunkSize);
  const done = new Set<number>();
  for (let index = 0; index < count; index++) {
    if (done.has(index)) continue;
    const body = file.slice(index * chunkSize, (index + 1) * chunkSize);
    const own = {
      ...headers,
      'X-Upload-Type': 'chunked',
      'X-Upload-Chunk-Index': String(index),
      'X-Upload-Chunk-Count': String(count),
      'X-File-Size': String(file.size),
    };
    let isRepeated = false;
    await persistently(signal, async () => {
      if (isRepeated) for (const each of await receivedChunks(address)) done.add(each);
      isRepeated = true;
      if (!done.has(index))
        await sendPart(
          { address, body, headers: own },
          { signal, onSent: (bytes) => onSent(index * chunkSize + bytes) },
        );
      done.add(index);
    });
  }
}

/**
 * Uploads a file to a new batch, in chunks if it is large. After a lost connection, the upload resumes with the
 * interrupted chunk. If the upload fails or its signal is aborted, the batch is deleted.
 * @returns the id of the batch, in which the file has the index 0
 */
export async function sendFile(file: File, sending: Sending): Promise<string> {
  const { signal, onSent } = sending;
  const { batchId } = await persistently(signal, () => post<{ batchId: string }>('api/v1/upload'));
  const address = `api/v1/upload/${batchId}/0`;
  const headers = {
    'X-File-Name': encodeURIComponent(file.name),
    'X-File-Type': file.type || 'application/octet-stream',
    'Content-Type': 'application/octet-stream',
  };
  try {
    signal.throwIfAborted();
    if (file.size > chunkSize) await sendChunks(address, file, headers, sending);
    else await persistently(signal, () => sendPart({ address, body: file, headers }, sending));
    signal.throwIfAborted();
  } catch (error) {
    void dropBatch(batchId);
    throw error;
  }
  onSent(file.size);
  return batchId;
}

/** A file that the server has received, and the signal that cancels what is done with it. */
export interface Sent {
  readonly batch: string;
  readonly signal: AbortSignal;
}

interface Write {
  readonly method: 'POST' | 'PUT';
  readonly address: string;
  readonly content: object;
  /** Whether the changed document gets a new version. */
  readonly isVersion: boolean;
}

/**
 * Stores an uploaded file in a document. The request has an idempotency key, so that repeating it after its response
 * was lost has no second effect. If the request fails, the batch is deleted.
 */
async function write({ batch, signal }: Sent, { method, address, content, isVersion }: Write): Promise<void> {
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': batch,
    ...(isVersion && { 'X-Versioning-Option': 'MINOR' }),
  };
  try {
    await persistently(signal, () => post(address, { method, headers, body: JSON.stringify(content) }));
  } catch (error) {
    void dropBatch(batch);
    throw error;
  }
}

/**
 * Creates a document from an uploaded file in the folder at a path.
 * @param isVersion whether the file becomes a new version of the document that already has its name, if there is one
 */
export const importFile = (sent: Sent, parent: string, isVersion: boolean): Promise<void> =>
  write(sent, {
    method: 'POST',
    address: `api/v1/upload/${sent.batch}/0/execute/FileManager.Import`,
    content: { params: { overwrite: isVersion }, context: { currentDocument: parent } },
    isVersion,
  });

/** Makes an uploaded file the main file of a document. */
export const attachFile = (sent: Sent, id: string, isVersion: boolean): Promise<void> =>
  write(sent, {
    method: 'PUT',
    address: `api/v1/id/${id}`,
    content: {
      'entity-type': 'document',
      properties: { 'file:content': { 'upload-batch': sent.batch, 'upload-fileId': '0' } },
    },
    isVersion,
  });
