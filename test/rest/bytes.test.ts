import { beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../src/rest/routes.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

let file: DocumentEntity;
let command = '';
let conversion = '';
beforeAll(async () => {
  file = await createDocument(server, {
    properties: { 'file:content': { content: '<p>Hi</p>', name: 'a.html', 'mime-type': 'text/html' } },
  });
  const { body } = await server.request
    .post('/api/v1/search/bulk/csvExport')
    .query({ query: `SELECT * FROM Document WHERE ecm:uuid = '${file.uid}'` })
    .send({})
    .expect(202);
  command = body.commandId;
  const converted = await server.request
    .post(`/api/v1/id/${file.uid}/@convert`)
    .type('form')
    .send({ type: 'text/html', async: 'true' })
    .expect(202);
  conversion = converted.body.conversionId;
});

/** Rows that send files, pages and texts. */
const rows = [...routes].filter(
  ({ method, answer }) => method === 'get' && ['bytes', 'page', 'text'].includes(answer),
);
const paths = [...new Set(rows.map(({ path }) => path))];

const addressOf = (path: string): string =>
  path
    .replace('{/*path}', file.path)
    .replace('/:rendition', '/xmlExport')
    .replace(/\/bulk\/.*:\w+/, (part) => part.replace(/:\w+/, command))
    .replace(/^\/conversions?\/:id/, (part) => part.replace(':id', conversion))
    .replaceAll(/:\w+/g, file.uid)
    .replace('/*xpath', '/file:content');

test.each(paths)('§9 %s ignores Accept: nothing of it depends on the header', async (path) => {
  const ask = (accept: string) =>
    server.request
      .get(`/api/v1${addressOf(path)}`)
      .query({ type: 'text/plain' })
      .set('Accept', accept);
  const usual = (await ask('*/*')).status;
  for (const accept of ['application/json', 'image/png', 'odd', 'application/pdf;q=0'])
    expect([accept, (await ask(accept)).status]).toEqual([accept, usual]);
  expect(usual).toBeLessThan(400);
});
