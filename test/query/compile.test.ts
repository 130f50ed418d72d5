import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newMeter } from '../../src/db/meter.ts';
import type { DocumentRow } from '../../src/loaders/documents/document-row.ts';
import { createLoaders } from '../../src/loaders/index.ts';
import type { StoredProperties } from '../../src/model/values/stored.ts';
import type { Condition } from '../../src/query/ast.ts';
import { newRow } from '../../src/store/documents/create-document.ts';
import { testScope } from '../support/scope.ts';
import { useServer } from '../support/server.ts';
import { isTrue } from './naive.ts';
import { conditions, samples } from './queries.ts';

const server = useServer();
let rows: DocumentRow[];
const meter = newMeter();
const loaders = () => createLoaders(testScope(server.database.metered(meter)));

/** The item of a list that a number selects, or undefined. */
const chosen = <T>(list: readonly T[], seed: number): T | undefined =>
  seed % (list.length + 2) < list.length ? list[seed % (list.length + 2)] : undefined;

function propertiesOf(seed: number): StoredProperties {
  const text = (salt: number) => chosen(samples.texts, seed * salt + salt);
  const texts = [text(3), text(5)].filter((value) => value !== undefined);
  const date = (salt: number) => chosen(samples.dates, seed * salt);
  const number = chosen(samples.numbers, seed * 7);
  const given = {
    'dc:title': text(1),
    'dc:description': text(11),
    'dc:subjects': texts,
    'dc:contributors': texts.slice(1),
    'dc:created': date(1),
    'dc:expired': date(3),
    'vid:info': { duration: number },
    'userprofile:gender': chosen([true, false], seed),
    'file:content': { name: text(13), length: chosen([0, 1, 2], seed * 5) },
  };
  const set = Object.entries(JSON.parse(JSON.stringify(given)) as StoredProperties);
  return Object.fromEntries(set.filter(([, value]) => !(Array.isArray(value) && value.length === 0)));
}

beforeAll(async () => {
  const { prisma } = server.database;
  const parent = await prisma.document.findFirstOrThrow({ where: { path: '/default-domain/workspaces' } });
  const data = Array.from({ length: 60 }, (_, seed) => ({
    ...newRow(parent as DocumentRow, { name: `n${seed}`, type: 'File', properties: propertiesOf(seed) }),
    position: chosen([0, 1, 2], seed) ?? null,
    isTrashed: seed % 4 === 0,
    isProxy: seed % 5 === 0,
  }));
  await prisma.document.createMany({ data: data as never });
  const models = ['DocumentRoute', 'DocumentRouteModelsRoot'];
  rows = (await prisma.document.findMany({ where: { NOT: { type: { in: models } } } })) as DocumentRow[];
});

const all = { pageSize: 0, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };

const found = async (where: Condition) => {
  const { rows: some, total } = await loaders().search(
    { select: '*', from: ['Document'], where, orderBy: [] },
    all,
  );
  expect(total).toBe(some.length);
  return some.map(({ id }) => id);
};

describe('§4.7 a compiled condition', () => {
  test('finds the documents for which the condition is true', async () => {
    await fc.assert(
      fc.asyncProperty(conditions, async (condition) => {
        const expected = rows.filter((row) => isTrue(condition, row)).map(({ id }) => id);
        expect(await found(condition)).toEqual(expected.sort());
      }),
      { numRuns: 300 },
    );
  });

  test('costs one statement beside that of the index', async () => {
    const before = meter.statements;
    await found({ kind: 'isNull', property: 'dc:title' });
    expect(meter.statements - before).toBe(2); // the first one brings the index up to date
  });
});
