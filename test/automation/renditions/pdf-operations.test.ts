import { describe, expect, test } from '@jest/globals';
import { PDFDocument } from 'pdf-lib';
import { createBinary } from '../../rest/blobs/blob-requests.ts';
import { deny, setAcl } from '../../support/acls.ts';
import { asBytes, call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const type = 'application/pdf';

/** A PDF whose pages differ in width, from a first one on. */
async function pdfWith(pages: number, from = 101): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page += 1) document.addPage([from + page, 200]);
  return Buffer.from(await document.save());
}

const widthsOf = async (bytes: unknown): Promise<number[]> =>
  (await PDFDocument.load(bytes as Buffer)).getPages().map((page) => page.getWidth());

const file = async (pages: number, from?: number) => ({
  content: await pdfWith(pages, from),
  name: 'a.pdf',
  type,
});

describe("'Blob.ConcatenatePDFs'", () => {
  const id = 'Blob.ConcatenatePDFs';
  const params = { filename: 'all.pdf' };

  test('answers the pages of all files, those of a variable first', async () => {
    const blobs = [await file(2), await file(1, 201)];
    const { body, headers } = await asBytes(call(server.request, id, { params, blobs })).expect(200);
    expect(await widthsOf(body)).toEqual([101, 102, 201]);
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      type,
      expect.stringContaining('all.pdf'),
    ]);
    const alone = await asBytes(call(server.request, id, { params, blobs: blobs.slice(0, 1) })).expect(200);
    expect(await widthsOf(alone.body)).toEqual([101, 102]);
  });

  test('needs no permission: its input has been read already', async () => {
    await call(bob, id, { params, blobs: [await file(1)] }).expect(200);
    await call(server.anonymous, id, { params, blobs: [await file(1)] }).expect(401);
  });

  test('refuses other files, damaged ones, none, and a variable without a file', async () => {
    const refusal = async (given: object, message: RegExp) => {
      const { body } = await call(server.request, id, { params, ...given }).expect(400);
      expect(body.message).toMatch(message);
    };
    const other = { content: 'x', name: 'b.txt', type: 'text/plain' };
    const damaged = { content: 'no PDF', name: 'c.pdf', type };
    await refusal({ blobs: [await file(1), other] }, /^input: b\.txt is not a PDF, but text\/plain\.$/);
    await refusal({ blobs: [await file(1), damaged] }, /^input: one of the PDFs cannot be read\.$/);
    await refusal({}, /accepts bloblist, not nothing\.$/);
    const blobs = [await file(1)];
    await refusal({ blobs, params: {} }, /^filename is missing$/);
    await refusal({ blobs, params: { ...params, blob_to_append: 'odd' } }, /^There is no variable odd\.$/);
    const text = { blobs, params: { ...params, blob_to_append: 'text' }, context: { text: 'x' } };
    await refusal(text, /^text does not contain a file\.$/);
  });
});

describe("'PDF.ExtractPages'", () => {
  const id = 'PDF.ExtractPages';
  const params = { startPage: 2, endPage: 3 };

  test('answers the pages of a file, or of the main file of a document', async () => {
    const { uid } = await createBinary(server, await pdfWith(4), { name: 'a.pdf', mimeType: type });
    for (const given of [{ input: uid }, { blobs: [await file(4)] }]) {
      const { body, headers } = await asBytes(call(server.request, id, { params, ...given })).expect(200);
      expect(await widthsOf(body)).toEqual([102, 103]);
      expect(headers['content-disposition']).toContain('a-2-3.pdf');
    }
    const named = { ...params, fileName: 'two.pdf', xpath: 'file:content' };
    const { headers } = await asBytes(call(server.request, id, { params: named, input: uid })).expect(200);
    expect(headers['content-disposition']).toContain('two.pdf');
  });

  test('needs Read', async () => {
    const { uid, path } = await createBinary(server, await pdfWith(4), { name: 'a.pdf', mimeType: type });
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    await call(bob, id, { input: uid, params }).expect(403);
  });

  test.each([
    [{ startPage: 0, endPage: 1 }, 400, /^startPage must be an integer between 1 and/],
    [{ startPage: 3, endPage: 2 }, 400, /^startPage: there are no pages 3 to 2; the file ends at page 4$/],
    [{ startPage: 1, endPage: 9 }, 400, /^endPage: there are no pages 1 to 9; the file ends at page 4$/],
    [{ startPage: 1 }, 400, /^endPage is missing$/],
    [{ ...params, xpath: 'files:files/0/file' }, 404, /has no file at files:files\/0\/file$/],
  ])('refuses %j', async (wrong, status, message) => {
    const { uid } = await createBinary(server, await pdfWith(4), { name: 'a.pdf', mimeType: type });
    const { body } = await call(server.request, id, { input: uid, params: wrong }).expect(status);
    expect(body.message).toMatch(message);
  });
});
