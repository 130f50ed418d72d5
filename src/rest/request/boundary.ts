import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Invalid } from '../../errors.ts';

/** RFC 2046: two hyphens and 70 characters, then the end of the line. */
const longest = 74;
const firstLine = /^--([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\r?\n/;

/** Reads the beginning of a body and puts it back. */
async function beginningOf(body: Readable): Promise<string> {
  const ended = once(body, 'end');
  ended.catch(() => {}); // the race below throws it
  let held = Buffer.alloc(0);
  while (held.length < longest && !held.includes('\n')) {
    const chunk = body.read() as Buffer | null;
    if (chunk) held = Buffer.concat([held, chunk]);
    else if (body.readableEnded) break;
    else await Promise.race([once(body, 'readable'), ended]);
  }
  if (held.length > 0) body.unshift(held);
  return held.subarray(0, longest).toString('latin1');
}

/**
 * The boundary of a multipart body whose header names none, as older JavaScript clients send it: its first
 * line is one.
 * @throws Invalid
 */
export async function boundaryOf(body: Readable): Promise<string> {
  const [, boundary] = firstLine.exec(await beginningOf(body)) ?? [];
  if (!boundary) throw new Invalid('Content-Type: names no boundary, and the body does not begin with one');
  return boundary;
}
