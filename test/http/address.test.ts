import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express, { type Request } from 'express';
import fc from 'fast-check';
import { remoteAddress } from '../../src/http/identify.ts';

/** The address that Express finds for a request behind a number of proxies. */
function ipOf(headers: object, proxies: number): string | undefined {
  const app = express();
  app.set('trust proxy', proxies);
  const request = Object.assign(Object.create(app.request), {
    socket: { remoteAddress: '127.0.0.1' },
    headers,
    app,
  });
  return (request as Request).ip;
}

const requestWith = (headers: object): IncomingMessage =>
  ({ socket: { remoteAddress: '127.0.0.1' }, headers }) as IncomingMessage;

describe('§5 the remote address of a request', () => {
  test('is the same as in Express for any X-Forwarded-For and any number of proxies', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('', ' ', 'unknown', '10.0.0.1:80'));
    const forwarded = fc.array(fc.tuple(address, fc.constantFrom(',', ', ', ' , ', ',,')), { maxLength: 5 });
    fc.assert(
      fc.property(forwarded, fc.nat(4), fc.boolean(), (said, proxies, isThere) => {
        const headers = isThere ? { 'x-forwarded-for': said.flat().slice(0, -1).join('') } : {};
        expect(remoteAddress(requestWith(headers), proxies)).toBe(ipOf(headers, proxies));
      }),
    );
  });

  test('is empty after the connection was closed', () => {
    expect(remoteAddress({ socket: {}, headers: {} } as IncomingMessage, 0)).toBe('');
  });
});
