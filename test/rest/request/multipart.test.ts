import { PassThrough, Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseMultipart } from '../../../src/rest/request/multipart.ts';

const limit = { bytes: 1_000_000, setting: 'UPLOAD_LIMIT' };

/** Reads the parts with a consumer that starts a while after each part has arrived. */
async function readSlowly(chunks: readonly Buffer[]): Promise<string[]> {
  const texts: string[] = [];
  for await (const { bytes } of parseMultipart(Readable.from(chunks), { boundary: 'b', limit })) {
    await wait(1);
    const read: Buffer[] = [];
    for await (const chunk of bytes) read.push(chunk);
    texts.push(Buffer.concat(read).toString());
  }
  return texts;
}

const bodyOf = (texts: readonly string[]): Buffer =>
  Buffer.from(`${texts.map((text) => `--b\r\nA: b\r\n\r\n${text}\r\n`).join('')}--b--\r\n`);

test('§4.7 every part is read completely for any split of the body and for slow consumers', async () => {
  const texts = fc.array(fc.stringMatching(/^[a-z]{0,9}$/), { minLength: 1, maxLength: 4 });
  const cuts = fc.array(fc.nat(200), { maxLength: 6 });
  const property = fc.asyncProperty(texts, cuts, async (sent, places) => {
    const body = bodyOf(sent);
    const ends = [...new Set([0, ...places.filter((place) => place < body.length), body.length])];
    ends.sort((one, other) => one - other);
    const chunks = ends.slice(1).map((end, index) => body.subarray(ends[index], end));
    expect(await readSlowly(chunks)).toEqual(sent);
  });
  await fc.assert(property, { numRuns: 300 });
});

test('§4.7 a client that breaks off after the last part ends no process', async () => {
  const body = new PassThrough();
  body.write('--b\r\nA: b\r\n\r\ntext\r\n--b--');
  for await (const { bytes } of parseMultipart(body, { boundary: 'b', limit }))
    for await (const chunk of bytes) expect(String(chunk)).toBe('text');
  body.destroy();
  await wait(5);
  expect(body.closed).toBe(true);
});
