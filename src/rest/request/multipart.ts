import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Dicer } from '@fastify/busboy';
import { Invalid } from '../../errors.ts';
import { decodeHeaderText } from './fixed-headers.ts';
import type { SentBytes } from './sent-bytes.ts';
import { bodyTooLarge, type Limit } from './upload-limit.ts';

/**
 * A part of a multipart body (RFC 2046). Its bytes must be read to the end before the next part is requested.
 */
export interface MultipartPart {
  /** Header values by lower-case name. If a header is repeated, the first value counts. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: AsyncIterable<Buffer>;
}

interface Reading {
  readonly boundary: string;
  /** Maximum bytes of the whole body, including headers and boundaries. */
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
 * Streams the parts of a body in order. When the loop over them ends early, the rest of the body is
 * discarded.
 * @throws Invalid when the body is malformed, incomplete or has a part without headers; TooLarge; any error
 * that `note` throws.
 */
export function parseMultipart(
  body: Readable,
  { boundary, limit, note = () => {} }: Reading,
): AsyncIterable<MultipartPart> {
  const dicer = new Dicer({ boundary });
  const open = new Set<Readable>();
  const parts = new Readable({
    objectMode: true,
    // Dicer can finish before the last part is read, so only an error or an early end of the loop destroys
    // the parts.
    autoDestroy: false,
    read: () => {},
    destroy: (error, done) => {
      body.unpipe(dicer);
      body.resume(); // some clients read the response only after they have sent the whole body
      for (const part of open) part.destroy(error ?? undefined);
      done(error);
    },
  });
  parts.on('error', () => {}); // the loop over the parts throws it; after the loop nothing listens
  const fail = (message: string): void =>
    void parts.destroy(new Invalid(`The body is not valid multipart: ${message}.`));

  /** Replaces Dicer's error for an incomplete body by the one of `parts`. */
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
    part.on('error', () => {}); // `bytesOf` throws it; without a listener the process would end
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
