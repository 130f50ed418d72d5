import { describe, expect, test } from '@jest/globals';
import { sweepBlobs } from '../../../src/store/blobs/sweep-blobs.ts';
import { deleteOldConversions } from '../../../src/store/renditions/scheduled-conversions.ts';
import { atId, createDocument } from '../../support/documents.ts';
import { runJobs } from '../../support/jobs.ts';
import { pdfOf } from '../../support/made-files.ts';
import { asBytes } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';
import { createBinary, createFile, local } from '../blobs/blob-requests.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const at = async (text = 'Hello', below = ''): Promise<string> => {
  const bytes = pdfOf(text);
  const { uid } = await createBinary(server, bytes, { name: 'a.pdf', mimeType: 'application/pdf' });
  return `${atId(uid)}${below}/@convert`;
};

const schedule = (address: string, fields: Record<string, string>) =>
  server.request
    .post(address)
    .type('form')
    .send({ ...fields, async: 'true' });

const statusOf = async (pollingURL: string): Promise<string> =>
  (await server.request.get(local(pollingURL)).expect(200)).body.status;

const completed = (pollingURL: string) =>
  until(async () => (await statusOf(pollingURL)) === 'completed', 60_000);

describe('§10 POST @convert', () => {
  test('with async=true answers 202 and where to ask; a job makes it', async () => {
    const { body, headers } = await schedule(await at(), { type: 'text/plain' }).expect(202);
    const { conversionId, pollingURL, resultURL } = body;
    expect(body).toEqual({
      'entity-type': 'conversionScheduled',
      conversionId,
      pollingURL: expect.stringMatching(new RegExp(`^http://.*/api/v1/conversions/${conversionId}/poll$`)),
      resultURL: expect.stringMatching(new RegExp(`^http://.*/api/v1/conversions/${conversionId}/result$`)),
    });
    expect(headers.location).toBe(pollingURL);
    const { body: status } = await server.request.get(local(pollingURL)).expect(200);
    expect(status).toMatchObject({ 'entity-type': 'conversionStatus', conversionId, status: 'scheduled' });
    // Each request of a test has a port of its own.
    expect(local(status.resultURL)).toBe(local(resultURL));
    expect((await server.request.get(local(resultURL)).expect(404)).body.message).toContain(
      'is not completed',
    );
    await runJobs(server);
    await completed(pollingURL);
    const result = await server.request.get(local(resultURL)).expect(200);
    expect(result.text.trim()).toBe('Hello');
    expect(result.headers['content-disposition']).toContain('a.txt');
    for (const what of ['poll', 'result']) {
      await server.request.get(`/api/v1/conversion/${conversionId}/${what}`).expect(200);
      await bob.get(`/api/v1/conversions/${conversionId}/${what}`).expect(404);
      await server.anonymous.get(`/api/v1/conversions/${conversionId}/${what}`).expect(401);
    }
  });

  test('without it answers the file, with the parameters of the converter', async () => {
    const address = await at('two', '/@blob/file:content');
    const text = await server.request.post(address).type('form').send({ format: 'txt' }).expect(200);
    expect(text.text.trim()).toBe('two');
    const picture = await asBytes(
      server.request.post(address).send({ converter: 'pdf2png', size: 40, async: false }),
    ).expect(200);
    expect(picture.headers['content-type']).toBe('image/png');
    const form = await asBytes(server.request.post(address).field('type', 'image/jpeg').field('size', '30'));
    expect(form.headers['content-type']).toBe('image/jpeg');
  });

  test('takes the form of older JavaScript clients, which is none of the kind that it says', async () => {
    const sent = server.request.post(await at()).set('Content-Type', 'multipart/form-data');
    await sent.send('async=true&converter=any2text&type=').expect(202);
  });

  test('a file that is of the media type already is completed at once', async () => {
    const { body } = await schedule(await at('same'), { type: 'application/pdf' }).expect(202);
    expect(await statusOf(body.pollingURL)).toBe('completed');
    expect((await asBytes(server.request.get(local(body.resultURL)))).body).toEqual(pdfOf('same'));
  });

  test('a file that cannot be converted is completed, and its result is 404', async () => {
    const { uid } = await createBinary(server, Buffer.from('x'), { mimeType: 'application/pdf' });
    const { body } = await schedule(`${atId(uid)}/@convert`, { format: 'txt' }).expect(202);
    await completed(body.pollingURL);
    const { body: fault } = await server.request.get(local(body.resultURL)).expect(404);
    expect(fault.message).toBe('The file cannot be converted by pdf2text.');
    const page = await schedule(await at(), { converter: 'pdf2png', page: '9' }).expect(202);
    await completed(page.body.pollingURL);
    const { body: other } = await server.request.get(local(page.body.resultURL)).expect(400);
    expect(other.message).toContain('there is no page 9');
  });

  test('parameters with which it fails stand in the way of no others', async () => {
    const { uid } = await createBinary(server, Buffer.from('no PDF'), { mimeType: 'application/pdf' });
    const failed = () =>
      server.database.prisma.rendition.count({ where: { converter: 'pdf2png', failures: { gt: 0 } } });
    const before = await failed();
    const convert = (fields: object) =>
      server.request
        .post(`${atId(uid)}/@convert`)
        .send(fields)
        .expect(404);
    for (const page of [1, 2, 3]) await convert({ converter: 'pdf2png', page });
    expect(await failed()).toBe(before);
    await convert({ converter: 'pdf2png' });
    expect(await failed()).toBe(before + 1);
  });

  test.each([
    [{}, 400],
    [{ converter: 'nosuch' }, 400],
    [{ type: 'image/heic' }, 400],
    [{ converter: 'pdf2png', page: 'x' }, 400],
  ])('refuses %j at once: %i', async (fields, status) => {
    await schedule(await at(), fields as Record<string, string>).expect(status);
  });

  test('refuses what needs a program, a document without a file, and a body of another kind', async () => {
    const word = await createBinary(server, Buffer.from('x'), { mimeType: 'application/msword' });
    await schedule(`${atId(word.uid)}/@convert`, { format: 'pdf' }).expect(501);
    const { uid } = await createDocument(server, { type: 'Folder' });
    await schedule(`${atId(uid)}/@convert`, { format: 'pdf' }).expect(400);
    await server.request
      .post(await at())
      .type('text/plain')
      .send('async=true')
      .expect(415);
    await server.request.post(await at()).expect(400);
    await server.request
      .post(await at())
      .send({ type: 'text/plain', async: 'maybe' })
      .expect(400);
  });

  test('needs Read, and an unknown conversion is 404', async () => {
    const { uid } = await createFile(server, { content: 'x' });
    await bob
      .post(`${atId(uid)}/@convert`)
      .type('form')
      .send({ format: 'html' })
      .expect(403);
    for (const id of ['nosuch', '0c5a5b9e-0000-4000-8000-000000000000'])
      await server.request.get(`/api/v1/conversions/${id}/poll`).expect(404);
  });

  test('what was made is there for a day', async () => {
    const { body } = await schedule(await at('kept'), { converter: 'pdf2png', size: '20' }).expect(202);
    await completed(body.pollingURL);
    await sweepBlobs(server.database, server.blobs, 0);
    await server.request.get(local(body.resultURL)).expect(200);
    const { prisma } = server.database;
    await prisma.conversion.updateMany({ data: { createdAt: new Date(Date.now() - 2 * 86_400_000) } });
    expect(await deleteOldConversions(server.database, 1)).toBeGreaterThan(1);
    await server.request.get(local(body.pollingURL)).expect(404);
  });
});
