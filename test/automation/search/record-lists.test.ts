import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const schema = {
  name: 'measured',
  fields: { amount: 'long', values: 'long[]', labels: 'string[]' },
} as const;
const server = useServer(
  {},
  { schemas: [schema], types: [{ name: 'Measured', parent: 'Folder', schemas: ['measured'] }] },
);

const all = { pageSize: 100 };
const records = async (query: string, params: Record<string, unknown> = {}) => {
  const answer = await call(server.request, 'Repository.ResultSetQuery', { params: { query, ...params } });
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body.entries as Array<Record<string, unknown>>;
};

const numbers = Array.from({ length: 40 }, (_, at) => (7 * at) % 40);

beforeAll(async () => {
  const given = [
    { 'measured:amount': 100, 'measured:values': numbers, 'measured:labels': ['b', 'a', 'b'] },
    { 'measured:amount': 10, 'measured:values': [50, 50] },
    { 'measured:amount': 1 },
  ];
  for (const properties of given) await createDocument(server, { type: 'Measured', properties });
});

describe('Columns of lists, in Repository.ResultSetQuery (§4.7)', () => {
  const query = 'SELECT measured:values, measured:amount FROM Measured';

  test('have each element once, in the order of the list, however the pages are cut', async () => {
    const expected = [...numbers.map((value) => [value, 100]), [50, 10], [50, 10], [null, 1]];
    const found: unknown[] = [];
    for (let currentPageIndex = 0; currentPageIndex * 6 < expected.length; currentPageIndex += 1)
      found.push(...(await records(query, { pageSize: 6, currentPageIndex })).map(Object.values));
    expect(found).toEqual(expected);
  });

  test('keep that order behind an order of the query', async () => {
    const found = await records(`${query} ORDER BY measured:amount`, all);
    expect(found.map((record) => record['measured:values'])).toEqual([null, 50, 50, ...numbers]);
  });

  test('are distinct values where that is asked for', async () => {
    const found = await records('SELECT DISTINCT measured:labels FROM Measured', all);
    expect(found.map((record) => record['measured:labels'])).toEqual(['a', 'b', null]);
  });

  const names = ['measured:labels', 'measured:labels/*', 'measured:labels[*]', 'labels'];

  test.each(names)('are sorted by each of their names: %s', async (name) => {
    const sorted = async (select: string, by: string) =>
      (await records(`SELECT ${select} FROM Measured ORDER BY ${by}`, all)).flatMap(Object.values);
    expect(await sorted(name, 'measured:labels')).toEqual(['a', 'b', 'b', null, null]);
    expect(await sorted('measured:labels/*', name)).toEqual(['a', 'b', 'b', null, null]);
    expect(await sorted(`DISTINCT ${name}`, 'measured:labels DESC')).toEqual(['b', 'a', null]);
    expect(await sorted('DISTINCT measured:labels', `${name} DESC`)).toEqual(['b', 'a', null]);
  });

  test.each(['SELECT dc:title/* FROM File', 'SELECT dc:title FROM File ORDER BY dc:title[*]'])(
    'are of lists alone: %s is 400',
    async (query) => {
      const answer = await call(server.request, 'Repository.ResultSetQuery', { params: { query } });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('dc:title')]);
    },
  );

  test('have rows of tables in the order of their values', async () => {
    const { path } = await createDocument(server, { type: 'File' });
    await call(server.request, 'Services.TagDocument', { input: path, params: { tags: 'c,a,b' } }).expect(
      200,
    );
    const tagged = `SELECT ecm:tag FROM File WHERE ecm:path = '${path}'`;
    const pages = await Promise.all(
      [0, 1, 2].map((currentPageIndex) => records(tagged, { pageSize: 1, currentPageIndex })),
    );
    expect(pages.flat().map((record) => record['ecm:tag'])).toEqual(['a', 'b', 'c']);
  });
});

describe('Functions beside those of a list, in Repository.ResultSetQuery (§4.7)', () => {
  test('count each document once', async () => {
    const functions = [
      'SUM(measured:amount)',
      'COUNT(measured:amount)',
      'COUNT(ecm:uuid)',
      'AVG(measured:amount)',
      'MIN(measured:amount)',
      'COUNT(measured:values)',
      'SUM(measured:values)',
      'MAX(measured:values)',
    ];
    const [record] = await records(`SELECT ${functions.join(', ')} FROM Measured`);
    expect(Object.values(record ?? {})).toEqual([111, 3, 3, 37, 1, 42, 880, 50]);
  });

  test('are those of nothing where no document is found', async () => {
    const query = `SELECT SUM(measured:amount), COUNT(ecm:uuid), COUNT(measured:values) FROM Measured WHERE measured:amount = 7`;
    expect((await records(query)).map(Object.values)).toEqual([[null, 0, 0]]);
  });
});
