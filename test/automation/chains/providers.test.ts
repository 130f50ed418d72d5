import { describe, expect, test } from '@jest/globals';
import type { ChainDefinition } from '../../../src/model/chains/chain-definitions.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const described = (of: string) =>
  `SELECT * FROM Note WHERE dc:description = '${of}' AND ecm:isVersion = 0 AND ecm:isTrashed = 0 ORDER BY dc:title`;

const forEachPage = (name: string, step: { id: string; parameters?: object }): ChainDefinition => ({
  name,
  params: [{ name: 'query', required: true }],
  operations: [
    { id: 'Repository.Query', params: { query: 'expr:ChainParameters.query', pageSize: 2 } },
    { id: 'RunOperationOnProvider', params: { ...step } },
  ],
});

const retitled = { properties: { 'dc:title': 'of a page' } };

const chains: ChainDefinition[] = [
  forEachPage('retitle', { id: 'Document.Update', parameters: retitled }),
  forEachPage('trash', { id: 'Document.Trash' }),
  {
    name: 'provided',
    operations: [
      { id: 'Repository.PageProvider', params: { providerName: 'notes', pageSize: 1 } },
      { id: 'RunOperationOnProvider', params: { id: 'Document.Update', parameters: retitled } },
    ],
  },
];

const pageProviders = [{ name: 'notes', query: described('provided') }];

const server = useServer({}, { chains, pageProviders });

const reader = useUser(server, 'page-reader');

const notes = (of: string, count: number): Promise<DocumentEntity[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      createDocument(server, {
        type: 'Note',
        properties: { 'dc:title': `${of} ${index}`, 'dc:description': of },
      }),
    ),
  );

const titles = async (documents: readonly DocumentEntity[]): Promise<unknown[]> =>
  Promise.all(documents.map(async ({ uid }) => (await readDocument(server.request, uid)).title));

describe('§4.7 RunOperationOnProvider', () => {
  test('runs an operation on each page of a query', async () => {
    const made = await notes('five', 5);
    await call(server.request, 'retitle', { params: { query: described('five') } }).expect(204);
    expect(await titles(made)).toEqual(made.map(() => 'of a page'));
  });

  test('runs on the pages of a page provider', async () => {
    const made = await notes('provided', 3);
    await call(server.request, 'provided', {}).expect(204);
    expect(await titles(made)).toEqual(made.map(() => 'of a page'));
  });

  test('reaches all documents though the operation takes them out of the search', async () => {
    const made = await notes('trashed', 5);
    await call(server.request, 'trash', { params: { query: described('trashed') } }).expect(204);
    const read = await Promise.all(made.map(({ uid }) => readDocument(server.request, uid)));
    expect(read.map(({ isTrashed }) => isTrashed)).toEqual(made.map(() => true));
  });

  test('runs on documents that are no page of a search as on one page', async () => {
    const made = await notes('listed', 3);
    await call(server.request, 'RunOperationOnProvider', {
      input: `docs:${made.map(({ uid }) => uid).join(',')}`,
      params: { id: 'Document.Update', parameters: retitled },
    }).expect(204);
    expect(await titles(made)).toEqual(made.map(() => 'of a page'));
  });

  test('does nothing where the search finds nothing', async () => {
    await call(server.request, 'retitle', { params: { query: described('nothing') } }).expect(204);
  });

  test('changes nothing when one document is refused', async () => {
    const made = await notes('refused', 3);
    for (const { path } of made) await setAcl(server, path, [grant('page-reader', 'Read')]);
    await setAcl(server, made[0]?.path ?? '', [grant('page-reader', 'ReadWrite')]);
    await call(reader, 'retitle', { params: { query: described('refused') } }).expect(403);
    expect(await titles(made)).toEqual(made.map(({ title }) => title));
  });

  test.each([
    ['without an input', undefined, { id: 'Document.Trash' }, 400, /accepts documents, not nothing/],
    ['without an operation', '/', {}, 400, 'id is missing'],
    ['with an unknown operation', '/', { id: 'Nosuch' }, 404, /^Operation: Nosuch does not exist\./],
    ['with a script', '/', { id: 'RunScript' }, 501, /^RunScript: scripts/],
  ])('is refused %s', async (_, input, params, status, message) => {
    const { body } = await call(server.request, 'RunOperationOnProvider', {
      ...(input && { input: `doc:${input}` }),
      params,
    }).expect(status);
    expect(body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('costs as many statements for each page, and no more for the later ones', async () => {
    const cost = async (count: number) => {
      await notes(`counted ${count}`, count);
      const params = { query: described(`counted ${count}`) };
      // This search brings the index up to date, which would be statements of the call.
      await server.request.get('/api/v1/search/execute').query(params).expect(200);
      return statements(await call(server.request, 'retitle', { params }).expect(204));
    };
    await cost(2);
    const [four, eight, twelve] = [await cost(4), await cost(8), await cost(12)];
    expect(twelve - eight).toBe(eight - four);
  });
});
