import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import fc from 'fast-check';
import {
  GraphQLID,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import { Invalid } from '../../src/errors.ts';
import type { Operation } from '../../src/operation.ts';
import { inputsOf } from '../../src/rest/inputs.ts';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';

/** What an operation with these inputs reads from such a request. */
function read(
  types: Record<string, GraphQLInputType>,
  request: { params?: object; query?: object; headers?: object },
  body?: unknown,
) {
  const operation = { inputs: new Map(Object.entries(types)) } as unknown as Operation;
  return inputsOf(operation, { params: {}, query: {}, headers: {}, ...request } as unknown as Request, body);
}

describe('inputs', () => {
  test('come from where their names say, and from nowhere else', () => {
    const request = { params: { id: 'a' }, query: { id: 'b' }, headers: { id: 'c' } };
    const types = { 'address.id': GraphQLID, 'query.id': GraphQLID, 'body.id': GraphQLID, id: GraphQLID };
    expect(read(types, request, { id: 'd' })).toEqual({ address_id: 'a', query_id: 'b', body_id: 'd' });
    expect(read({ 'address.id': GraphQLID }, { query: { id: 'b' } }, { id: 'd' })).toEqual({});
  });

  test('a parameter of several segments is text as it stands', () => {
    const params = { entry: ['a', '', 'b', ''] };
    expect(read({ 'address.entry': GraphQLID }, { params })).toEqual({ address_entry: 'a//b/' });
  });

  test('what is not given is not there', () => {
    expect(
      read(
        { 'address.id': GraphQLID, 'query.pageSize': GraphQLInt, ifMatch: new GraphQLList(GraphQLString) },
        {},
      ),
    ).toEqual({});
  });

  test('only what the operation wants is read', () => {
    expect(read({}, { query: { pageSize: 'x' }, headers: { 'if-match': 'x' } }, {})).toEqual({});
  });

  test.each([
    [undefined, '/'],
    [[], '/'],
    [[''], '/'],
    [['a'], '/a'],
    [['a', 'b c', ''], '/a/b c'],
    [['', 'a', '', 'b'], '/a/b'],
  ])('the segments %j are the path %s', (path, meant) => {
    expect(read({ path: GraphQLString }, { params: { path } })).toEqual({ path: meant });
  });

  test('the segments of an xpath are joined', () => {
    const params = { xpath: ['files:files', '0', 'file'] };
    expect(read({ xpath: GraphQLString }, { params })).toEqual({ xpath: 'files:files/0/file' });
  });

  test('the body is passed on as it was read', () => {
    const body = { name: 'x' };
    expect(read({ body: GraphQLString }, {}, body).body).toBe(body);
  });

  test.each([
    ['*', undefined],
    ['"0-1"', ['0-1']],
    ['W/"0-1-hash", "3-4"', ['0-1', '3-4']],
    ['"something"', ['something']],
  ])('If-Match %s is %j', (header, tokens) => {
    const { ifMatch } = read(
      { ifMatch: new GraphQLList(GraphQLString) },
      { headers: { 'if-match': header } },
    );
    expect(ifMatch).toEqual(tokens);
  });

  test('If-Match without an entity tag is refused', () => {
    const types = { ifMatch: new GraphQLList(GraphQLString) };
    expect(() => read(types, { headers: { 'if-match': '0-1' } })).toThrow(Invalid);
  });

  test('whole numbers become numbers', () => {
    const types = { 'query.n': new GraphQLNonNull(GraphQLInt) };
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }), (number) => {
        expect(read(types, { query: { n: String(number) } })).toEqual({ query_n: number });
      }),
    );
  });

  test('an empty parameter of the query is none', () => {
    const types = { 'query.n': GraphQLInt, 'query.s': new GraphQLList(GraphQLString) };
    expect(read(types, { query: { n: '', s: '' } })).toEqual({});
    expect(read(types, { query: { n: ['', '1'], s: ['', 'a'] } })).toEqual({ query_n: 1, query_s: ['a'] });
  });

  test.each([' 1', '1.0', '1e3', 'x', '0x1', '2147483648', '-2147483648', '9'.repeat(30), '١'])(
    '"%s" is no whole number',
    (text) => {
      expect(() => read({ 'query.pageSize': GraphQLInt }, { query: { pageSize: text } })).toThrow(
        /^pageSize/,
      );
    },
  );

  test('lists are repeated or separated by commas', () => {
    const types = { 'query.s': new GraphQLList(new GraphQLNonNull(GraphQLString)) };
    expect(read(types, { query: { s: 'a,b' } })).toEqual({ query_s: ['a', 'b'] });
    expect(read(types, { query: { s: ['a', 'b,c'] } })).toEqual({ query_s: ['a', 'b', 'c'] });
    const numbers = { 'query.n': new GraphQLList(GraphQLInt) };
    expect(read(numbers, { query: { n: '1,2' } })).toEqual({ query_n: [1, 2] });
  });

  test('of a repeated single value the first counts', () => {
    expect(read({ 'query.n': GraphQLInt }, { query: { n: ['1', '2'] } })).toEqual({ query_n: 1 });
  });
});

describe('§2 paging parameters over HTTP', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start();
    for (const name of ['a', 'b', 'c']) await createDocument(server, { name });
  });
  afterAll(() => server.stop());

  const list = '/api/v1/path/default-domain/workspaces/@children';

  test.each(['pageSize', 'currentPageIndex', 'offset', 'maxResults'])(
    '%s that is no number: 400',
    async (name) => {
      for (const value of ['x', '1.5', '99999999999', '-1']) {
        const { body } = await server.request
          .get(list)
          .query({ [name]: value })
          .expect(400);
        expect(body.message).toContain(name);
      }
    },
  );

  test('a number is one', async () => {
    const { body } = await server.request.get(list).query({ pageSize: '2', offset: '1' }).expect(200);
    expect(body.entries.map(({ name }: { name: string }) => name)).toEqual(['b', 'c']);
  });

  test('a parameter of no meaning is ignored', async () => {
    await server.request.get(list).query({ nosuch: 'x', ifMatch: 'x', body: 'x', path: '/' }).expect(200);
  });
});
