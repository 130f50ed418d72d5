import type supertest from 'supertest';

/** A part of a body: its header lines and its bytes. */
export interface SentPart {
  readonly headers: readonly string[];
  readonly bytes: Uint8Array;
}

export type Kind = 'form-data' | 'related';

export const boundary = 'the-boundary';

/** Returns the bytes of a multipart body, with an end or without. */
export const bodyOf = (parts: readonly SentPart[], end = `\r\n--${boundary}--\r\n`): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ headers, bytes }, index) => [
      Buffer.from(`${index === 0 ? '' : '\r\n'}--${boundary}\r\n`),
      Buffer.from(headers.map((line) => `${line}\r\n`).join('')),
      Buffer.from('\r\n'),
      bytes,
    ]),
    Buffer.from(end),
  ]);

/** Returns the JSON part of a call, in the form of each kind of client. */
export const jsonPart = (kind: Kind, json: unknown): SentPart => ({
  headers:
    kind === 'form-data'
      ? ['Content-Disposition: form-data; name="params"', 'Content-Type: application/json']
      : [
          'Content-Type: application/json+nxrequest; charset=UTF-8',
          'Content-Transfer-Encoding: 8bit',
          'Content-ID: request',
        ],
  bytes: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
});

/** Encodes a file name like browsers do in forms, or like mail. */
const named = {
  'form-data': (name: string) =>
    `form-data; name="input"; filename="${name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign))}"`,
  related: (name: string) => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
} as const;

/** Returns a file part, in the form of each kind of client. */
export const filePart = (kind: Kind, name: string, bytes: Uint8Array, type = 'text/plain'): SentPart => ({
  headers: [`Content-Disposition: ${named[kind](name)}`, `Content-Type: ${type}`, 'Content-ID: <input>'],
  bytes,
});

export const typeOf = (kind: Kind): string => `multipart/${kind}; boundary="${boundary}"`;

/** Sends some bytes as a multipart body. */
export const sendBody = (sent: supertest.Test, kind: Kind, body: Buffer): supertest.Test =>
  sent.set('Content-Type', typeOf(kind)).send(body);
