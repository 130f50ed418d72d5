import { beforeAll, describe, expect, test } from '@jest/globals';
import { newMeter } from '../../src/db/meter.ts';
import { createLoaders, type Loaders } from '../../src/loaders/index.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { testScope } from '../support/scope.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let documents: DocumentEntity[];
beforeAll(async () => {
  documents = [];
  for (const name of ['a', 'b', 'c']) documents.push(await createDocument(server, { type: 'Folder', name }));
  for (const name of ['x', 'y']) await createDocument(server, { parent: documents[0]?.path ?? '', name });
});

const missing = '00000000-0000-4000-8000-000000000000';
const everything = { pageSize: 50, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };

/** Runs work with the loaders of one request; returns its number of statements as well. */
async function loading<T>(work: (load: Loaders) => Promise<T>): Promise<{ answer: T; statements: number }> {
  const meter = newMeter();
  const load = createLoaders(testScope(server.database.metered(meter)));
  return { answer: await work(load), statements: meter.statements };
}

const ids = () => documents.map(({ uid }) => uid);

describe('The loaders of a request', () => {
  test('find documents by id in one statement, in the requested order', async () => {
    const [a = '', b = '', c = ''] = ids();
    const { answer, statements } = await loading((load) =>
      Promise.all([c, missing, a, b, a].map((id) => load.documentById.load(id))),
    );
    expect(answer.map((row) => row?.name ?? null)).toEqual(['c', null, 'a', 'b', 'a']);
    expect(statements).toBe(1);
  });

  test('find documents by path in one statement, in the requested order', async () => {
    const paths = documents.map(({ path }) => path);
    const { answer, statements } = await loading((load) =>
      Promise.all([...paths, '/nowhere', '/'].map((path) => load.documentByPath.load(path))),
    );
    expect(answer.map((row) => row?.path ?? null)).toEqual([...paths, null, '/']);
    expect(statements).toBe(1);
  });

  test.each([
    ['no UUID', (load: Loaders) => load.documentById.load('no-uuid')],
    ['a path with a NUL', (load: Loaders) => load.documentByPath.load('/a\0b')],
  ])('return null for %s without a statement', async (_, work) => {
    expect(await loading(work)).toEqual({ answer: null, statements: 0 });
  });

  test('return null for an invalid id among valid ones', async () => {
    const { answer } = await loading((load) =>
      Promise.all(['no-uuid', ids()[0] ?? ''].map((id) => load.documentById.load(id))),
    );
    expect(answer.map((row) => row?.name ?? null)).toEqual([null, 'a']);
  });

  test('read the same document once', async () => {
    const { statements } = await loading(async (load) => {
      await load.documentById.load(ids()[0] ?? '');
      await load.documentById.load(ids()[0] ?? '');
    });
    expect(statements).toBe(1);
  });

  const folder = (id: string) => ({ id, type: 'Folder', facets: [] });

  test('find the children of many parents in one statement', async () => {
    const { answer, statements } = await loading((load) =>
      Promise.all([...ids(), missing].map((id) => load.children(folder(id), everything))),
    );
    expect(answer.map(({ total, rows }) => [total, rows.map(({ name }) => name)])).toEqual([
      [2, ['x', 'y']],
      [0, []],
      [0, []],
      [0, []],
    ]);
    expect(statements).toBe(1);
  });

  test('find the pages of many parents in one statement, each from its own offset', async () => {
    const page = { ...everything, pageSize: 1, offset: 1 };
    const { answer, statements } = await loading((load) =>
      Promise.all(ids().map((id) => load.children(folder(id), page))),
    );
    expect(answer[0]).toMatchObject({ total: 2, rows: [{ name: 'y' }] });
    expect(answer[1]).toEqual({ total: 0, rows: [] });
    expect(statements).toBe(1);
  });

  test('read the same page once', async () => {
    const [a = ''] = ids();
    const { statements } = await loading((load) =>
      Promise.all([
        load.children(folder(a), everything),
        load.children(folder(a), everything),
        load.children(folder(a), { ...everything, offset: 1 }),
      ]),
    );
    expect(statements).toBe(2);
  });
});
