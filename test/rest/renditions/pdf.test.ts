import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { PDFDocument, PDFHexString, PDFNumber, type PDFObject } from 'pdf-lib';
import sharp from 'sharp';
import { blobFile } from '../../support/blob-file.ts';
import { atId } from '../../support/documents.ts';
import { pdfOf } from '../../support/made-files.ts';
import { asBytes } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { createBinary } from '../blobs/blob-requests.ts';

const server = useServer();

const type = 'application/pdf';

/** A PDF whose pages differ in width: 101, 102 … */
async function pdfWith(pages: number): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= pages; page += 1) document.addPage([100 + page, 200]);
  return Buffer.from(await document.save());
}

const widthsOf = async (bytes: Uint8Array): Promise<number[]> =>
  (await PDFDocument.load(bytes)).getPages().map((page) => page.getWidth());

const fileWith = async (pages: number) =>
  createBinary(server, await pdfWith(pages), { name: 'a.pdf', mimeType: type });

const converted = (uid: string, converter: string, parameters: Record<string, number> = {}) =>
  server.request.get(`${atId(uid)}/@convert`).query({ converter, ...parameters });

test('§10 @convert takes pages out of a PDF, and counts them', async () => {
  const { uid } = await fileWith(5);
  const wanted = async (parameters: Record<string, number>) =>
    widthsOf((await asBytes(converted(uid, 'pdf2pages', parameters)).expect(200)).body);
  expect(await wanted({ firstPage: 2, lastPage: 4 })).toEqual([102, 103, 104]);
  expect(await wanted({ lastPage: 1 })).toEqual([101]);
  expect(await wanted({ firstPage: 5 })).toEqual([105]);
  const { body } = await converted(uid, 'pdf2info').expect(200).expect('Content-Type', /json/);
  expect(body).toEqual({ pages: 5 });
});

test('§10 the text of a PDF has the comments and the values of form fields', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 300]);
  page.drawText('On the page');
  const form = document.getForm();
  const add = (annotation: Record<string, PDFObject | string>) =>
    page.node.addAnnot(
      document.context.register(document.context.obj({ Type: 'Annot', Rect: [0, 0, 9, 9], ...annotation })),
    );
  add({ Subtype: 'Text', Contents: PDFHexString.fromText('A comment on Łódź') });
  add({ Subtype: 'Text', F: PDFNumber.of(2), Contents: PDFHexString.fromText('hidden') });
  add({ Subtype: 'FreeText', Contents: PDFHexString.fromText('A remark') });
  const field = form.createTextField('name');
  field.addToPage(page);
  field.setText('Pelican');
  const choice = form.createDropdown('color');
  choice.addOptions(['Vermilion', 'Turquoise']);
  choice.addToPage(page);
  choice.select('Turquoise');
  const bytes = Buffer.from(await document.save({ updateFieldAppearances: false }));
  const { uid } = await createBinary(server, bytes, { name: 'form.pdf', mimeType: type });
  const { text } = await server.request
    .get(`${atId(uid)}/@convert`)
    .query({ type: 'text/plain' })
    .expect(200);
  expect(text.split(/\s*\n/)).toEqual([
    'On the page',
    'A comment on Łódź',
    'A remark',
    'Pelican',
    'Turquoise',
  ]);
});

test.each(['png', 'jpeg'] as const)('§10 @convert makes a page a picture: %s', async (format) => {
  const { uid } = await fileWith(2);
  const { body, headers } = await asBytes(converted(uid, `pdf2${format}`, { page: 2, size: 400 })).expect(
    200,
  );
  expect(headers['content-type']).toBe(`image/${format}`);
  expect(await sharp(body).metadata()).toMatchObject({ format, width: 204, height: 400 });
  const usual = await asBytes(server.request.get(`${atId(uid)}/@convert`).query({ format })).expect(200);
  expect(await sharp(usual.body).metadata()).toMatchObject({ width: 505, height: 1_000 });
});

test('PDFs are joined in their order; none is made where one of them is damaged', async () => {
  const stored = async (bytes: Buffer) => ({ ...(await server.blobs.write([bytes])), mimeType: type });
  const [one, two, damaged] = [
    await stored(await pdfWith(1)),
    await stored(await pdfWith(2)),
    await stored(Buffer.from('x')),
  ];
  const joined = (others: Array<typeof two>) =>
    server.conversions.of(server.database, 'joined', one, { others });
  const made = await joined([two, one]);
  const { digest = '' } = made ?? {};
  expect(await widthsOf(await readFile(blobFile(server, digest)))).toEqual([101, 101, 102, 101]);
  expect(await joined([damaged])).toBeNull();
});

test('Blob.RunConverter hands the parameters on', async () => {
  const { uid } = await createBinary(server, await pdfWith(3), { mimeType: type });
  const run = (parameters: Record<string, unknown>) =>
    server.request
      .post('/api/v1/automation/Blob.RunConverter')
      .send({ input: uid, params: { converter: 'pdf2pages', parameters } });
  expect(await widthsOf((await asBytes(run({ firstPage: 3 })).expect(200)).body)).toEqual([103]);
  expect((await run({ firstPage: 'three' }).expect(400)).body.message).toContain(
    'firstPage must be an integer',
  );
});

test('an encrypted PDF has neither pages nor a count, and says so', async () => {
  const encrypted = Buffer.from(
    pdfOf('secret')
      .toString('latin1')
      .replace('/Size 6', '/Size 6 /Encrypt << /Filter /Standard /V 1 /R 2 /O <00> /U <00> /P -4 >>'),
    'latin1',
  );
  const { uid } = await createBinary(server, encrypted, { mimeType: type });
  for (const converter of ['pdf2pages', 'pdf2info']) {
    const { body } = await converted(uid, converter).expect(404);
    expect(body.message).toContain(`cannot be converted by ${converter}`);
  }
});
