import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Client } from '../../src/db/database.ts';
import { newMeter } from '../../src/db/meter.ts';
import type { DocumentRow } from '../../src/loaders/documents/document-row.ts';
import { createLoaders } from '../../src/loaders/index.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import type { Model } from '../../src/model/model.ts';
import type { StoredProperties } from '../../src/model/values/stored.ts';
import type { Condition } from '../../src/query/ast.ts';
import { newRow } from '../../src/store/documents/create-document.ts';
import { lockSearchIndex } from '../../src/store/row-locks/advisory-locks.ts';
import { compareIndex } from '../../src/store/search/compare-index.ts';
import { testScope } from '../support/scope.ts';
import { useServer } from '../support/server.ts';
import { isTrue } from './naive.ts';
import { conditions, samples } from './queries.ts';

const server = useServer(
  {},
  {
    indexes: [
      { property: 'dc:description' },
      { property: 'dc:subjects' },
      { property: 'dc:contributors/*' },
      { property: 'file:content/length' },
      { property: 'vid:info/duration' },
      { property: 'dc:expired' },
    ],
  },
);
let rows: DocumentRow[];
let model: Model;
const meter = newMeter();

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
  rows = await rowsOf(server.database);
  model = await loadModel(join(server.dataDir, 'model'));
});

const rowsOf = async ({ prisma }: Client): Promise<DocumentRow[]> => {
  const models = ['DocumentRoute', 'DocumentRouteModelsRoot'];
  return (await prisma.document.findMany({ where: { NOT: { type: { in: models } } } })) as DocumentRow[];
};

const all = { pageSize: 0, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };

const search = (client: Client, where: Condition) =>
  createLoaders(testScope(client, { model })).search(
    { select: '*', from: ['Document'], where, orderBy: [] },
    all,
  );

async function expectFound(client: Client, of: readonly DocumentRow[], condition: Condition): Promise<void> {
  const expected = of.filter((row) => isTrue(condition, row)).map(({ id }) => id);
  const { rows: some, total } = await search(client, condition);
  expect(total).toBe(some.length);
  expect(some.map(({ id }) => id)).toEqual(expected.sort());
}

describe('§4.7 a compiled condition', () => {
  test('finds the documents for which the condition is true', async () => {
    await fc.assert(
      fc.asyncProperty(conditions, (condition) => expectFound(server.database, rows, condition)),
      { numRuns: 300 },
    );
  });

  test('finds titles by every pattern', async () => {
    for (const pattern of [...samples.patterns, ...samples.texts])
      for (const ignoresCase of [true, false])
        await expectFound(server.database, rows, {
          kind: 'like',
          property: 'dc:title',
          pattern,
          ignoresCase,
        });
  });

  test('finds titles by many patterns at once', async () => {
    const like = (pattern: string) =>
      ({ kind: 'like', property: 'dc:title', pattern, ignoresCase: true }) as const;
    const of = [...samples.patterns, ...samples.texts, ...samples.patterns.map((one) => `${one}%`)].map(like);
    await expectFound(server.database, rows, { kind: 'or', of });
  });

  test('finds the same in a transaction that has changed them, and after a rebuild of the index', async () => {
    const shifted = `UPDATE document d SET properties = o.properties, title = left(coalesce(o.properties ->> 'dc:title', d.name), 255)
      FROM document o WHERE o.name = 'n' || (substr(d.name, 2)::int + 1) % 60 AND d.name ~ '^n[0-9]+$'`;
    await server.database.transaction(60, async (client) => {
      await client.query({ name: '', text: shifted }, []);
      const changed = await rowsOf(client);
      expect(changed).not.toEqual(rows);
      for (const condition of fc.sample(conditions, 60)) await expectFound(client, changed, condition);
    });
    const signal = new AbortController().signal;
    await server.database.transaction(60, async (client) => {
      await lockSearchIndex(client); // the server may be at it
      await client.query({ name: '', text: 'DELETE FROM search_document' }, []);
    });
    await compareIndex(server.database, { isCheck: false, onProgress: () => {}, signal });
    const changed = await rowsOf(server.database);
    for (const condition of fc.sample(conditions, 60)) await expectFound(server.database, changed, condition);
    rows = changed;
  });

  test('costs one statement, one that looks for changes, and two more if the index is behind', async () => {
    const before = meter.statements;
    await search(server.database.metered(meter), {
      kind: 'like',
      property: 'dc:title',
      pattern: '%nual%',
      ignoresCase: true,
    });
    expect([2, 4]).toContain(meter.statements - before); // the server may have indexed the changes itself
  });
});
