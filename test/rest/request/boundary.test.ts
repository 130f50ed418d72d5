import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { boundaryOf } from '../../../src/rest/request/receive.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

describe('§4.7 a multipart body whose header names no boundary', () => {
  const send = (body: string) =>
    server.request
      .post('/api/v1/automation/Blob.AttachOnDocument')
      .set('Content-Type', 'multipart/form-data')
      .send(body);

  test('begins with it, as older JavaScript clients send it', async () => {
    const { uid } = await createDocument(server);
    const line = '----------------------------824371954023';
    const body = [
      `${line}\r\nContent-Disposition: form-data; name="params"\r\n`,
      `${JSON.stringify({ params: { document: uid }, context: {} })}`,
      `${line}\r\nContent-Disposition: form-data; name="input"; filename="a.txt"\r\nContent-Type: text/plain\r\n`,
      'bytes',
      `${line}--\r\n`,
    ];
    await send(body.join('\r\n')).expect(200);
    const { properties } = (await server.request.get(`/api/v1/id/${uid}`).expect(200)).body;
    expect(properties['file:content']).toMatchObject({ name: 'a.txt', length: '5' });
  });

  test.each(['', '--', '--\r\n', 'text\r\n--b\r\n', `--${'x'.repeat(71)}\r\n`, '--no end of the line', '-'])(
    'is 400 when it begins with none: %j',
    async (body) => {
      const { status, body: answer } = await send(`${body}${body === '' ? '{}' : ''}`);
      expect([status, answer.message]).toEqual([
        400,
        expect.stringMatching(/^Content-Type must contain the boundary/),
      ]);
    },
  );
});

test.each([1, 3, 1000])(
  'the beginning is read in chunks of %d bytes, and stays in the body',
  async (size) => {
    const bytes = Buffer.from(`--b c\r\n\r\n${'x'.repeat(200)}`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const body = Readable.from(chunks, { objectMode: false });
    expect(await boundaryOf(body)).toBe('b c');
    const left: Buffer[] = [];
    for await (const chunk of body) left.push(chunk as Buffer);
    expect(Buffer.concat(left).equals(bytes)).toBe(true);
  },
);

test('a body that ends at once is refused', async () => {
  await expect(boundaryOf(Readable.from([], { objectMode: false }))).rejects.toThrow(
    /must contain the boundary/,
  );
});
