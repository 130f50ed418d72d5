import fc from 'fast-check';
import type { Body } from './bodies.ts';
import { text, unquoted, wellFormed } from './texts.ts';

/** Generates mostly the first, sometimes the second. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: other });

const line = text.map((words) => wellFormed(words).replace(/[\r\n]/g, ' '));

const jsonHeaders = mostly<readonly string[]>(
  fc.constantFrom(
    ['Content-Disposition: form-data; name="params"'],
    ['Content-Disposition: form-data; name="request"', 'Content-Type: application/json+nxrequest'],
    ['Content-ID: request', 'Content-Type: application/json'],
  ),
  fc.array(line, { maxLength: 2 }),
);

const fileHeaders = mostly<readonly string[]>(
  fc
    .record({ name: line, type: fc.constantFrom('text/plain', 'image/png; charset=x', 'application/pdf') })
    .map(({ name, type }) => [
      `Content-Disposition: form-data; name="input"; filename="${name.replaceAll('"', '%22')}"`,
      `Content-Type: ${type}`,
    ]),
  fc.oneof(
    fc.array(line, { maxLength: 3 }),
    line.map((words) => [`Content-Type: ${words}`]),
    line.map((words) => [`Content-Disposition: ${words}`]),
    line.map((words) => [`Content-Transfer-Encoding: ${words}`]),
    fc.constantFrom([':'], ['a'], [' folded'], ["Content-Disposition: form-data; filename*=utf-8''%ff"]),
  ),
);

const content = mostly(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', '--x', '\r\n--x', '\r\n--x--', '\r\n\r\n', '-').map((bytes) => Buffer.from(bytes)),
);

const partOf = (headers: readonly string[], bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`--x\r\n${[...headers, '', ''].join('\r\n')}`), bytes, Buffer.from('\r\n')]);

const types = [
  'multipart/form-data; boundary=x',
  'multipart/related; boundary="x"; type="application/json"',
  'multipart/form-data',
  'multipart/related; boundary=',
  'multipart/mixed; boundary=x',
  'multipart/form-data; boundary=y',
];

/** Generates multipart bodies with JSON first, sometimes with other headers, cut off or with text between. */
export function inParts(json: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const files = fc.array(fc.tuple(fileHeaders, content), { maxLength: 3 });
  const whole = fc
    .record({ value: json, headers: jsonHeaders, files, end: mostly(fc.constant('--x--\r\n'), line) })
    .map(({ value, headers, files: given, end }) =>
      Buffer.concat([
        partOf(headers, Buffer.from(unquoted(value))),
        ...given.map((part) => partOf(...part)),
        Buffer.from(end),
      ]),
    );
  const broken = fc.tuple(whole, fc.nat(400)).map(([bytes, at]) => bytes.subarray(0, at));
  return fc.record({
    type: mostly(fc.constantFrom(...types.slice(0, 2)), fc.constantFrom(...types)),
    bytes: mostly(whole, broken),
    encoding: fc.constant(undefined),
  });
}
