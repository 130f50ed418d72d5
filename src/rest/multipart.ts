import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Dicer } from '@fastify/busboy';
import { Invalid } from '../errors.ts';
import { beyond, type Limit } from './upload-limit.ts';

/** A part of a multipart body (RFC 2046): to be read to its end before the next one is asked for. */
export interface Part {
  /** By name in lower case: the first of each. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: AsyncIterable<Buffer>;
}

/** How a multipart body is read. */
interface Reading {
  readonly boundary: string;
  /** Of its bytes, headers and boundaries included. */
  readonly limit: Limit;
}

/** What clients write in UTF-8 arrives as one character for each byte; what is none stays Latin-1. */
function decoded(text: string): string {
  const utf8 = Buffer.from(text, 'latin1').toString('utf8');
  return utf8.includes('\ufffd') ? text : utf8;
}

const firstOf = (headers: object): Part['headers'] =>
  Object.fromEntries(
    Object.entries(headers as Record<string, string[]>).map(([name, [value]]) => [
      name,
      decoded(value ?? ''),
    ]),
  );

/**
 * The parts of a body, one after the other, as they come. Whoever stops asking, or fails, has the rest thrown away.
 * @throws Invalid when it is none of the kind, breaks off or has a part without headers; TooLarge.
 */
export function partsOf(body: Readable, { boundary, limit }: Reading): AsyncIterable<Part> {
  const dicer = new Dicer({ boundary });
  const open = new Set<Readable>();
  const parts = new Readable({
    objectMode: true,
    // Dicer may have finished before the last part is read: only who stops asking, or fails, has it destroyed.
    autoDestroy: false,
    read: () => {},
    destroy: (error, done) => {
      body.unpipe(dicer);
      body.resume(); // the answer may be waited for until all is sent
      for (const part of open) part.destroy(error ?? undefined);
      done(error);
    },
  });
  const fail = (message: string): void =>
    void parts.destroy(new Invalid(`the body is no multipart: ${message}`));

  /** Of a body that breaks off, Dicer says so in words of its own. */
  async function* bytesOf(part: Readable): AsyncGenerator<Buffer> {
    try {
      yield* part;
    } catch (error) {
      throw parts.errored ?? error;
    }
  }

  let hasHeaders = true;
  const requireHeaders = (): boolean => {
    if (!hasHeaders) fail('a part has no headers, or no end of them');
    return hasHeaders;
  };
  dicer.on('part', (part) => {
    if (!requireHeaders()) return;
    hasHeaders = false;
    open.add(part);
    part.on('error', () => {}); // whoever reads is told by us
    part.on('close', () => open.delete(part));
    part.on('header', (headers) => {
      hasHeaders = true;
      parts.push({ headers: firstOf(headers), bytes: bytesOf(part) } satisfies Part);
    });
  });
  dicer.on('finish', () => {
    if (requireHeaders()) parts.push(null);
  });
  dicer.on('error', () => fail('it ends before its last boundary'));

  let length = 0;
  body.on('data', (chunk: Buffer) => {
    length += chunk.byteLength;
    if (length > limit.bytes) parts.destroy(beyond(limit));
  });
  finished(body, { writable: false }).catch(() => fail('it broke off'));
  body.pipe(dicer);
  return parts;
}
