import type supertest from 'supertest';

type Requests = ReturnType<typeof supertest.agent>;

/** The content of a file, or of a chunk of one. */
export interface Bytes {
  readonly content: string | Buffer;
  readonly name?: string;
  readonly type?: string;
  readonly chunk?: { readonly index: number; readonly count: number; readonly size: number };
}

const upload = '/api/v1/upload';

/** Creates a batch for a user. */
export async function beginUpload(request: Requests): Promise<string> {
  const { body } = await request.post(upload).expect(201);
  return body.batchId;
}

/** Sends bytes into a batch, with the headers that existing clients send. */
export function send(
  request: Requests,
  batch: string,
  file: number | string,
  { content, name, type, chunk }: Bytes,
): supertest.Test {
  const bytes = Buffer.from(content as string);
  const sent = request.post(`${upload}/${batch}/${file}`).set('Content-Type', 'application/octet-stream');
  if (name !== undefined) sent.set('X-File-Name', encodeURIComponent(name));
  if (type !== undefined) sent.set('X-File-Type', type);
  if (chunk) {
    sent
      .set('X-Upload-Type', 'chunked')
      .set('X-Upload-Chunk-Index', String(chunk.index))
      .set('X-Upload-Chunk-Count', String(chunk.count))
      .set('X-File-Size', String(chunk.size));
  }
  return sent.send(bytes);
}

/** Splits text into the chunks of a file. */
export function cut(content: string | Buffer, count: number, name = 'cut.bin'): Bytes[] {
  const bytes = Buffer.from(content as string);
  const length = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, index) => ({
    content: bytes.subarray(index * length, (index + 1) * length),
    name,
    chunk: { index, count, size: bytes.length },
  }));
}

/** Returns a property value that refers to an upload. */
export const uploaded = (batch: string, file: number | string) => ({
  'upload-batch': batch,
  'upload-fileId': String(file),
});
