/** @group every-database */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, namesIn } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer(
  {},
  {
    schemas: [
      { name: 'invoice', prefix: 'inv', fields: { amount: 'double', due: 'date', supplier: 'string' } },
    ],
    facets: [{ name: 'Payable', schemas: ['invoice'] }],
    types: [{ name: 'Invoice', parent: 'File', facets: ['Payable'] }],
    indexes: [{ property: 'inv:amount' }, { property: 'inv:due' }, { property: 'inv:supplier' }],
  },
);

const long = (end: string): string => `Lönneberga ${'ö'.repeat(150)} ${end}`;

const invoices: Readonly<Record<string, Record<string, unknown>>> = {
  a: { 'inv:amount': 20, 'inv:due': '2024-01-31T23:59:59.999Z', 'inv:supplier': 'Acme Tools' },
  b: { 'inv:amount': 100.5, 'inv:due': '2024-02-01', 'inv:supplier': 'acme' },
  c: { 'inv:amount': -3, 'inv:supplier': long('tools') },
  d: { 'inv:due': '2023-12-24T10:00:00Z', 'inv:supplier': 'Zulu' },
  e: {},
};

beforeAll(async () => {
  for (const [name, properties] of Object.entries(invoices))
    await createDocument(server, {
      name,
      type: 'Invoice',
      properties: { 'dc:title': `Bill ${name}`, ...properties },
    });
  await server.indexed;
});

const search = (where: string, order: string, given: Record<string, unknown> = {}) =>
  server.request
    .get('/api/v1/search/execute')
    .query({ query: `SELECT * FROM Invoice WHERE ${where} ORDER BY ${order}`, ...given });

describe('§4.7 properties with an index', () => {
  test.each([
    ['inv:amount > 19', 'ab'],
    ['inv:amount BETWEEN -3 AND 20', 'ac'],
    ['NOT inv:amount > 19', 'cde'],
    ['inv:amount IS NULL', 'de'],
    ["DATE(inv:due) = DATE '2024-01-31'", 'a'],
    ["DATE(inv:due) > DATE '2024-01-31'", 'b'],
    ["DATE(inv:due) <= DATE '2024-01-31'", 'ad'],
    ["DATE(inv:due) <> DATE '2024-01-31'", 'bcde'],
    ["inv:supplier ILIKE 'ACME%'", 'ab'],
    ["inv:supplier LIKE '%tools%'", 'c'],
    ["inv:supplier ILIKE '%tools'", 'ac'],
    ["inv:supplier STARTSWITH 'Acme Tools'", 'a'],
    ["NOT inv:supplier ILIKE '%tools'", 'bde'],
    [`inv:supplier = '${long('tools')}'`, 'c'],
    ["dc:title LIKE '%ill b' OR ecm:name LIKE 'a%'", 'ab'],
  ])('%s', async (where, names) => {
    expect(namesIn(await search(where, 'ecm:name').expect(200)).join('')).toBe(names);
  });

  test.each([
    ['inv:amount', 'cabde'],
    ['inv:amount DESC', 'bacde'],
    ['inv:due', 'dabce'],
    ['inv:due DESC', 'badce'],
  ])('are an order, page by page: %s', async (order, names) => {
    const found: string[] = [];
    for (let cursor: unknown = '*'; cursor !== undefined; ) {
      const answer = await search('ecm:isTrashed = 0', `${order}, ecm:name`, { pageSize: 2, cursor }).expect(
        200,
      );
      found.push(...namesIn(answer));
      cursor = answer.body.nextCursor;
    }
    expect(found.join('')).toBe(names);
  });

  test('sort long texts by how they begin', async () => {
    const names = namesIn(await search('inv:supplier IS NOT NULL', 'inv:supplier DESC').expect(200));
    expect(names.indexOf('d')).toBeLessThan(names.indexOf('c'));
    expect(names).toHaveLength(4);
  });

  test('have them once the log says so', () => {
    expect(server.logged).toContainEqual(
      expect.objectContaining({
        msg: 'Search indexes have been created or dropped.',
        made: expect.anything(),
      }),
    );
  });

  test('cost no statement more', async () => {
    const plain = statements(await search('ecm:isTrashed = 0', 'ecm:name').expect(200));
    expect(statements(await search("inv:supplier ILIKE '%tools'", 'inv:due').expect(200))).toBe(plain);
  });
});
