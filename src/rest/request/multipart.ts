import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Dicer } from '@fastify/busboy';
import { Invalid } from '../../errors.ts';
import { decodeHeaderText } from './fixed-headers.ts';
import type { SentBytes } from './sent-bytes.ts';
import { bodyTooLarge, type Limit } from './upload-limit.ts';

/** A part of a multipart body (RFC 2046). Its bytes must be read to the end before the next part is requested. */
export interface MultipartPart {
  /** The header values by name in lower case. If a header is repeated, this is its first value. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: AsyncIterable<Buffer>;
}

interface Reading {
  readonly boundary: string;
  /** The maximum number of bytes in the whole body, including headers and boundaries. */
  readonly limit: Limit;
  readonly note?: SentBytes['note'];
}

const firstOf = (headers: object): MultipartPart['headers'] =>
  Object.fromEntries(
    Object.entries(headers as Record<string, string[]>).map(([name, [value]]) => [
      name,
      decodeHeaderText(value ?? ''),
    ]),
  );

/**
 * Streams the parts of a body in order. If the loop over them ends early, the rest of the body is discarded.
 * @throws Invalid if the body is malformed or incomplete, or has a part without headers; TooLarge; any error that
 * `note` throws
 */
export function parseMultipart(
  body: Readable,
  { boundary, limit, note = () => {} }: Reading,
): AsyncIterable<MultipartPart> {
  const dicer = new Dicer({ boundary });
  const open = new Set<Readable>();
  const parts = new Readable({
    objectMode: true,
    // Dicer can finish before the last part has been read. Therefore the parts are destroyed only after an error or
    // if the loop over them ends early.
    autoDestroy: false,
    read: () => {},
    destroy: (error, done) => {
      body.unpipe(dicer);
      body.resume(); // Some clients read the response only after they have sent the whole body.
      for (const part of open) part.destroy(error ?? undefined);
      done(error);
    },
  });
  parts.on('error', () => {}); // The loop over the parts throws this error. After the loop, nothing listens for it.
  const fail = (message: string): void =>
    void parts.destroy(new Invalid(`The body is not valid multipart: ${message}.`));

  /**
   * Yields the bytes of a part. If the body is incomplete, throws the error that was set on `parts` rather than Dicer's
   * own error.
   */
  async function* bytesOf(part: Readable): AsyncGenerator<Buffer> {
    try {
      yield* part;
    } catch (error) {
      throw parts.errored ?? error;
    }
  }

  let hasHeaders = true;
  const requireHeaders = (): boolean => {
    if (!hasHeaders) fail('the headers of a part are missing or incomplete');
    return hasHeaders;
  };
  dicer.on('part', (part) => {
    if (!requireHeaders()) return;
    hasHeaders = false;
    open.add(part);
    part.on('error', () => {}); // `bytesOf` throws this error. Without a listener, the process would crash.
    part.on('close', () => open.delete(part));
    part.on('header', (headers) => {
      hasHeaders = true;
      parts.push({ headers: firstOf(headers), bytes: bytesOf(part) } satisfies MultipartPart);
    });
  });
  dicer.on('finish', () => {
    if (requireHeaders()) parts.push(null);
  });
  dicer.on('error', () => fail('it ends before its last boundary'));

  let length = 0;
  body.on('data', (chunk: Buffer) => {
    length += chunk.byteLength;
    try {
      if (length > limit.bytes) throw bodyTooLarge(limit);
      note(length);
    } catch (error) {
      parts.destroy(error as Error);
    }
  });
  finished(body, { writable: false }).catch(() => fail('the connection was closed too early'));
  body.pipe(dicer);
  return parts;
}
