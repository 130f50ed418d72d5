import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { newMeter } from '../../src/db/meter.ts';
import { createLoaders, type Loaders } from '../../src/loaders/index.ts';
import { loadModel } from '../../src/model/contributed.ts';
import type { Model } from '../../src/model/model.ts';
import { attempts, secrets } from '../support/authentication.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
let model: Model;
let documents: DocumentEntity[];
beforeAll(async () => {
  server = await start();
  model = await loadModel(undefined);
  documents = [];
  for (const name of ['a', 'b', 'c']) documents.push(await createDocument(server, { type: 'Folder', name }));
  for (const name of ['x', 'y']) await createDocument(server, { parent: documents[0]?.path ?? '', name });
});
afterAll(() => server.stop());

const missing = '00000000-0000-4000-8000-000000000000';
const everything = { pageSize: 50, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };

/** Runs work with the loaders of one request; answers what it cost too. */
async function loading<T>(work: (load: Loaders) => Promise<T>): Promise<{ answer: T; statements: number }> {
  const options = {
    ...({
      repository: 'default',
      versioning: 'NONE',
      source: undefined,
      comment: undefined,
      searchSync: false,
      keepsUploads: false,
      skipAggregates: false,
    } as const),
    ...({ timeout: undefined, baseUrl: '', address: '', language: 'en' } as const),
  };
  const user = { id: 'Administrator', groups: [], isAdministrator: true };
  const meter = newMeter();
  const load = createLoaders({
    db: server.database.metered(meter),
    blobs: server.blobs,
    model,
    secrets,
    attempts,
    executing: server.executing,
    user,
    chief: 'Administrator',
    log: pino({ level: 'silent' }),
    usedUploads: new Set(),
    options,
  });
  return { answer: await work(load), statements: meter.statements };
}

const ids = () => documents.map(({ uid }) => uid);

describe('The loaders of a request', () => {
  test('find documents by id in one statement, in the order asked', async () => {
    const [a = '', b = '', c = ''] = ids();
    const { answer, statements } = await loading((load) =>
      Promise.all([c, missing, a, b, a].map((id) => load.documentById.load(id))),
    );
    expect(answer.map((row) => row?.name ?? null)).toEqual(['c', null, 'a', 'b', 'a']);
    expect(statements).toBe(1);
  });

  test('find documents by path in one statement, in the order asked', async () => {
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
  ])('answer null for %s, without asking', async (_, work) => {
    expect(await loading(work)).toEqual({ answer: null, statements: 0 });
  });

  test('answer null for what cannot be an id among others that can', async () => {
    const { answer } = await loading((load) =>
      Promise.all(['no-uuid', ids()[0] ?? ''].map((id) => load.documentById.load(id))),
    );
    expect(answer.map((row) => row?.name ?? null)).toEqual([null, 'a']);
  });

  test('ask for the same document once', async () => {
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

  test('ask once for each way of paging', async () => {
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
