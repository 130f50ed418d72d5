import { beforeAll, expect, test } from '@jest/globals';
import { isOnFallback } from '../../support/database.ts';
import { atId } from '../../support/documents.ts';
import { pdfOf } from '../../support/made-files.ts';
import { useServer } from '../../support/server.ts';
import { untilWaiting } from '../../support/until-waiting.ts';
import { createBinary } from '../blobs/blob-requests.ts';

const server = useServer();

beforeAll(() => server.stopCallersJobs()); // what is begun stays pending

const onServer = isOnFallback ? test.skip : test;

const lastBut = 99;

const username = 'Administrator';

/** Sends two requests, neither of which commits before both have come as far as they can. */
async function sendTwo(send: () => PromiseLike<{ status: number }>): Promise<number[]> {
  const { answers } = await server.database.transaction(30, async (db) => {
    await db.query({ name: '', text: 'LOCK TABLE job IN SHARE MODE' }, []);
    const sent = [send(), send()].map((answer) => Promise.resolve(answer));
    await untilWaiting(server.database, 2);
    return { answers: sent };
  });
  return (await Promise.all(answers)).map(({ status }) => status).toSorted();
}

onServer('§8 of two bulk actions the hundredth begins, the other is 429', async () => {
  const row = { repository: 'default', username, action: 'trash', parameters: {}, query: {} };
  await server.database.prisma.bulkCommand.createMany({
    data: Array.from({ length: lastBut }, () => ({ ...row, id: crypto.randomUUID() })),
  });
  const query = "SELECT * FROM Document WHERE ecm:name = 'no-such'";
  const send = () => server.request.post('/api/v1/search/bulk/trash').query({ query }).send({});
  expect(await sendTwo(send)).toEqual([202, 429]);
});

onServer('§10 of two conversions the hundredth begins, the other is 429', async () => {
  const { uid } = await createBinary(server, pdfOf('x'), { name: 'a.pdf', mimeType: 'application/pdf' });
  const row = {
    userId: username,
    sourceDigest: 'x',
    sourceType: 'application/pdf',
    parameters: {},
    stem: 'x',
  };
  await server.database.prisma.conversion.createMany({ data: Array.from({ length: lastBut }, () => row) });
  const send = () => server.request.post(`${atId(uid)}/@convert`).send({ type: 'text/plain', async: true });
  expect(await sendTwo(send)).toEqual([202, 429]);
});
