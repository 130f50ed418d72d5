import fc from 'fast-check';
import type { Model } from '../../src/model/model.ts';
import { type Body, bodies, bodiesOf } from './bodies.ts';
import { callAt, isCall } from './calls.ts';
import { credentials, headers, type Pair, query } from './parameters.ts';
import { inParts } from './parts.ts';
import { type Target, targets } from './targets.ts';
import { wellFormed } from './texts.ts';

/** A generated request; it refers to existing documents by number until it is sent. */
export interface Request extends Target {
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly authorization: string | undefined;
  readonly body: Body | undefined;
  readonly isChunked: boolean;
}

/** Generates a body of the kind that a route accepts. */
function bodyFor(model: Model, target: Target): fc.Arbitrary<Body> {
  const { path } = target;
  if (isCall(target)) {
    const json = callAt(path);
    return fc.oneof({ weight: 2, arbitrary: bodiesOf(json) }, { weight: 1, arbitrary: inParts(json) });
  }
  if (path.includes('/directory/')) return bodies(model, 'entry');
  return bodies(model, /\/(user|group|me)\b/.test(path) ? 'authority' : 'document');
}

/** Generates requests from the tables of routes and headers, the content model and random data. */
export function requests(model: Model): fc.Arbitrary<Request> {
  const rarely = fc.integer({ min: 0, max: 15 }).map((dice) => dice === 0);
  const made = {
    query: query(model),
    headers: headers(model),
    authorization: credentials,
    isChunked: rarely,
  };
  return targets(model).chain((target) =>
    fc
      .record({ body: bodyFor(model, target), isOtherwise: rarely, ...made })
      .map(({ body, isOtherwise, ...others }) => {
        const hasBody = ['POST', 'PUT', 'PATCH'].includes(target.method) !== isOtherwise;
        return { ...target, ...others, body: hasBody ? body : undefined };
      }),
  );
}

/** An existing document. */
export interface Known {
  readonly uid: string;
  readonly path: string;
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Replaces the numbers by existing documents. */
export function named(text: string, known: readonly Known[], spell = (path: string) => path): string {
  const at = (digit: string) => known[Number(digit) % known.length];
  return text
    .replace(/ID-(\d)/g, (_, digit: string) => at(digit)?.uid ?? '')
    .replace(/\/?PATH-(\d)/g, (_, digit: string) => spell(at(digit)?.path ?? ''));
}

const chunked = (bytes: Buffer): Buffer =>
  Buffer.concat([
    ...(bytes.length > 0
      ? [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]
      : []),
    Buffer.from('0\r\n\r\n'),
  ]);

/** Removes the line ends that would start another header. */
const oneLine = (text: string): string => text.replace(/[\r\n]/g, ' ');

/** The bytes of a request on its own connection. */
export function toBytes(request: Request, known: readonly Known[]): { head: string; bytes: Buffer } {
  const { method, path, body, authorization, isChunked } = request;
  const parameters = request.query.map((pair) =>
    pair.map((text) => encodeURIComponent(wellFormed(text))).join('='),
  );
  const target = oneLine([named(path, known, encoded), parameters.join('&')].filter(Boolean).join('?'));
  const content = Buffer.from(named(body?.bytes.toString('latin1') ?? '', known), 'latin1');
  const lines = [
    ...(request.headers.some(([name]) => name === 'Host') ? [] : [['Host', 'quire.example']]),
    ...request.headers,
    ...(authorization === undefined ? [] : [['Authorization', authorization]]),
    ...(body?.type === undefined ? [] : [['Content-Type', body.type]]),
    ...(body?.encoding === undefined ? [] : [['Content-Encoding', body.encoding]]),
    ...((body &&
      (isChunked ? [['Transfer-Encoding', 'chunked']] : [['Content-Length', String(content.length)]])) ||
      []),
    ['Connection', 'close'],
  ].map(([name = '', value = '']) => `${oneLine(name)}: ${oneLine(value)}`);
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  const sent = body && isChunked ? chunked(content) : content;
  return { head, bytes: Buffer.concat([Buffer.from(head, 'utf8'), sent]) };
}
