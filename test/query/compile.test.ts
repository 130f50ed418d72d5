import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { newMeter } from '../../src/db/meter.ts';
import type { DocumentRow } from '../../src/loaders/document-row.ts';
import { createLoaders, type Loaders } from '../../src/loaders/index.ts';
import { loadModel } from '../../src/model/contributed.ts';
import type { StoredProperties } from '../../src/model/stored.ts';
import type { Condition } from '../../src/query/ast.ts';
import { newRow } from '../../src/store/create-document.ts';
import { attempts, secrets } from '../support/authentication.ts';
import { start, type TestServer } from '../support/server.ts';
import { isTrue } from './naive.ts';
import { conditions, samples } from './queries.ts';

let server: TestServer;
let loaders: () => Loaders;
let rows: DocumentRow[];
const meter = newMeter();

/** Some of a list, as a number chooses: all of them have all kinds of values, and none. */
const chosen = <T>(list: readonly T[], seed: number): T | undefined =>
  seed % (list.length + 2) < list.length ? list[seed % (list.length + 2)] : undefined;

function propertiesOf(seed: number): StoredProperties {
  const text = (salt: number) => chosen(samples.texts, seed * salt + salt);
  const texts = [text(3), text(5)].filter((value) => value !== undefined);
  const date = (salt: number) => chosen(samples.dates, seed * salt);
  const number = chosen(samples.numbers, seed * 7);
  const given = {
    ...{
      'dc:title': text(1),
      'dc:description': text(11),
      'dc:subjects': texts,
      'dc:contributors': texts.slice(1),
    },
    ...{ 'dc:created': date(1), 'dc:expired': date(3), 'vid:info': { duration: number } },
    ...{ 'userprofile:gender': chosen([true, false], seed) },
    'file:content': { name: text(13), length: chosen([0, 1, 2], seed * 5) },
  };
  const set = Object.entries(JSON.parse(JSON.stringify(given)) as StoredProperties);
  return Object.fromEntries(set.filter(([, value]) => !(Array.isArray(value) && value.length === 0)));
}

beforeAll(async () => {
  server = await start();
  const model = await loadModel(undefined);
  const { prisma } = server.database;
  const parent = await prisma.document.findFirstOrThrow({ where: { path: '/default-domain/workspaces' } });
  const data = Array.from({ length: 60 }, (_, seed) => ({
    ...newRow(parent as DocumentRow, { name: `n${seed}`, type: 'File', properties: propertiesOf(seed) }),
    ...{ position: chosen([0, 1, 2], seed) ?? null, isTrashed: seed % 4 === 0, isProxy: seed % 5 === 0 },
  }));
  await prisma.document.createMany({ data: data as never });
  rows = (await prisma.document.findMany({})) as DocumentRow[];
  loaders = () =>
    createLoaders({
      ...{ db: server.database.metered(meter), blobs: server.blobs, model, secrets, attempts },
      ...{ executing: server.executing, chief: 'Administrator', log: pino({ level: 'silent' }) },
      usedUploads: new Set(),
      user: { id: 'Administrator', groups: [], isAdministrator: true },
      options: {
        ...{
          repository: 'default',
          versioning: 'NONE',
          source: undefined,
          comment: undefined,
          searchSync: false,
          keepsUploads: false,
          skipAggregates: false,
        },
        ...{ timeout: undefined, baseUrl: '', address: '', language: 'en' },
      },
    });
});
afterAll(() => server.stop());

const all = { pageSize: 0, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };

const found = async (where: Condition) => {
  const { rows: some, total } = await loaders().search(
    { select: '*', from: ['Document'], where, orderBy: [] },
    all,
  );
  expect(total).toBe(some.length);
  return some.map(({ id }) => id);
};

describe('§4.7 what a condition means', () => {
  test('is what it means document by document', async () => {
    await fc.assert(
      fc.asyncProperty(conditions, async (condition) => {
        const expected = rows.filter((row) => isTrue(condition, row)).map(({ id }) => id);
        expect(await found(condition)).toEqual(expected.sort());
      }),
      { numRuns: 300 },
    );
  });

  test('is found out in one statement', async () => {
    const before = meter.statements;
    await found({ kind: 'isNull', property: 'dc:title' });
    expect(meter.statements - before).toBe(1);
  });
});
