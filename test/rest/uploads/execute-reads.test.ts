import { describe, expect, test } from '@jest/globals';
import { operations } from '../../../src/automation/index.ts';
import { pdfOf } from '../../support/made-files.ts';
import { askGraphql } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { picture } from '../renditions/pictures.ts';
import { beginUpload, send } from './upload-requests.ts';

const server = useServer();
const { request } = server;
const upload = '/api/v1/upload';

/** Operations that only read, and take files. */
const reading = operations
  .filter(({ kind, takes }) => kind === 'query' && takes.includes('bloblist'))
  .map(({ id }) => id);

const params: Record<string, object> = {
  'Blob.ConcatenatePDFs': { filename: 'all.pdf' },
  'Blob.Convert': { mimeType: 'text/plain' },
  'Blob.RunConverter': { converter: 'pdf2text' },
  'Context.SetInputAsVar': { name: 'files' },
  'PDF.ExtractPages': { startPage: 1, endPage: 1 },
  'Picture.Resize': { maxWidth: 10, maxHeight: 10 },
};

async function uploadFor(operation: string): Promise<string> {
  const batch = await beginUpload(request);
  const content = operation.startsWith('Picture') ? await picture(20, 20, 'png') : pdfOf('Hello');
  const type = operation.startsWith('Picture') ? 'image/png' : 'application/pdf';
  await send(request, batch, 0, { content, name: 'a', type }).expect(201);
  return batch;
}

const execute = (batch: string, operation: string, at = '') =>
  request.post(`${upload}/${batch}${at}/execute/${operation}`).send({ params: params[operation] ?? {} });

const isThere = async (batch: string): Promise<boolean> =>
  (await request.get(`${upload}/${batch}`)).status === 200;

describe('§4.7 an operation that only reads, with an upload', () => {
  test.each(reading)('%s deletes the batch, unless it is to be kept', async (operation) => {
    for (const at of ['', '/0']) {
      const batch = await uploadFor(operation);
      const kept = await execute(batch, operation, at).set('X-Batch-No-Drop', 'true');
      expect(kept.status).toBeLessThan(300);
      expect(await isThere(batch)).toBe(true);
      expect((await execute(batch, operation, at)).status).toBe(kept.status);
      expect(await isThere(batch)).toBe(false);
    }
  });

  test('deletes the batch where the call has a time limit, and when it is run asynchronously', async () => {
    const limited = await uploadFor('Blob.CreateZip');
    await execute(limited, 'Blob.CreateZip').set('Svc-Transaction-Timeout', '60').expect(200);
    expect(await isThere(limited)).toBe(false);
    const later = await uploadFor('Blob.CreateZip');
    await execute(later, 'Blob.CreateZip/@async').expect(202);
    await until(async () => !(await isThere(later)));
  });

  test('keeps the batch when it fails, is only explained, or is a query of GraphQL', async () => {
    const batch = await uploadFor('Blob.CreateZip');
    await execute(batch, 'Picture.Resize', '/0').expect(400);
    await execute(batch, 'Blob.CreateZip', '/1').expect(404);
    await execute(batch, 'Blob.CreateZip').set('Prefer', 'explain').expect(200);
    await request.get(`${upload}/${batch}/0`).expect(200);
    const { blobCreateZip } = await askGraphql<{ blobCreateZip: { blob: { digest: string } } }>(
      request,
      'query ($batch: ID!) { blobCreateZip(input: { upload: { batch: $batch } }) { blob { digest } } }',
      { batch },
    );
    expect(blobCreateZip.blob.digest).toMatch(/^[\da-f]{64}$/);
    expect(await isThere(batch)).toBe(true);
  });

  test('answers the same again under an idempotency key, though the batch is gone', async () => {
    const batch = await uploadFor('Blob.Convert');
    const sent = () => execute(batch, 'Blob.Convert', '/0').set('Idempotency-Key', 'once');
    const first = await sent().expect(200);
    expect(await isThere(batch)).toBe(false);
    const again = await sent().expect(200);
    expect(again.text).toBe(first.text);
  });
});
