import { beforeAll, describe, expect, test } from '@jest/globals';
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
import { Invalid } from '../../../src/errors.ts';
import { inputValues } from '../../../src/rest/request/inputs.ts';
import type { GraphqlOperation } from '../../../src/selection/operation.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';

/** Returns the inputs of an operation with these types, read from a request. */
function read(
  types: Record<string, GraphQLInputType>,
  request: { params?: object; query?: object; headers?: object },
  body?: unknown,
) {
  const operation = { inputs: new Map(Object.entries(types)) } as unknown as GraphqlOperation;
  return inputValues(
    operation,
    { params: {}, query: {}, headers: {}, ...request } as unknown as Request,
    body,
  );
}

describe('the inputs of an operation', () => {
  test('are read from the part of the request that their name specifies', () => {
    const request = { params: { id: 'a' }, query: { id: 'b' }, headers: { id: 'c' } };
    const types = { 'address.id': GraphQLID, 'query.id': GraphQLID, 'body.id': GraphQLID, id: GraphQLID };
    expect(read(types, request, { id: 'd' })).toEqual({ address_id: 'a', query_id: 'b', body_id: 'd' });
    expect(read({ 'address.id': GraphQLID }, { query: { id: 'b' } }, { id: 'd' })).toEqual({});
  });

  test('join the segments of a URL parameter unchanged', () => {
    const params = { entry: ['a', '', 'b', ''] };
    expect(read({ 'address.entry': GraphQLID }, { params })).toEqual({ address_entry: 'a//b/' });
  });

  test('omit missing values', () => {
    expect(
      read(
        { 'address.id': GraphQLID, 'query.pageSize': GraphQLInt, ifMatch: new GraphQLList(GraphQLString) },
        {},
      ),
    ).toEqual({});
  });

  test('are read only when the operation declares them', () => {
    expect(read({}, { query: { pageSize: 'x' }, headers: { 'if-match': 'x' } }, {})).toEqual({});
  });

  test.each([
    [undefined, '/'],
    [[], '/'],
    [[''], '/'],
    [['a'], '/a'],
    [['a', 'b c', ''], '/a/b c'],
    [['', 'a', '', 'b'], '/a/b'],
  ])('turn the segments %j into the path %s', (path, meant) => {
    expect(read({ path: GraphQLString }, { params: { path } })).toEqual({ path: meant });
  });

  test('join the segments of an xpath', () => {
    const params = { xpath: ['files:files', '0', 'file'] };
    expect(read({ xpath: GraphQLString }, { params })).toEqual({ xpath: 'files:files/0/file' });
  });

  test('pass the parsed body on unchanged', () => {
    const body = { name: 'x' };
    expect(read({ body: GraphQLString }, {}, body).body).toBe(body);
  });

  test.each([
    ['*', undefined],
    ['"0-1"', ['0-1']],
    ['W/"0-1-hash", "3-4"', ['0-1', '3-4']],
    ['"something"', ['something']],
  ])('parse If-Match %s as %j', (header, tokens) => {
    const { ifMatch } = read(
      { ifMatch: new GraphQLList(GraphQLString) },
      { headers: { 'if-match': header } },
    );
    expect(ifMatch).toEqual(tokens);
  });

  test('refuse If-Match without an entity tag', () => {
    const types = { ifMatch: new GraphQLList(GraphQLString) };
    expect(() => read(types, { headers: { 'if-match': '0-1' } })).toThrow(Invalid);
  });

  test('convert integers to numbers', () => {
    const types = { 'query.n': new GraphQLNonNull(GraphQLInt) };
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }), (number) => {
        expect(read(types, { query: { n: String(number) } })).toEqual({ query_n: number });
      }),
    );
  });

  test('omit empty query parameters', () => {
    const types = { 'query.n': GraphQLInt, 'query.s': new GraphQLList(GraphQLString) };
    expect(read(types, { query: { n: '', s: '' } })).toEqual({});
    expect(read(types, { query: { n: ['', '1'], s: ['', 'a'] } })).toEqual({ query_n: 1, query_s: ['a'] });
  });

  test.each([' 1', '1.0', '1e3', 'x', '0x1', '-2147483648', '١'])('refuse "%s" as an integer', (text) => {
    expect(() => read({ 'query.pageSize': GraphQLInt }, { query: { pageSize: text } })).toThrow(/^pageSize/);
  });

  test('accept lists as repeated parameters, whose values keep their commas, or separated by commas', () => {
    const types = { 'query.s': new GraphQLList(new GraphQLNonNull(GraphQLString)) };
    expect(read(types, { query: { s: 'a,b' } })).toEqual({ query_s: ['a', 'b'] });
    expect(read(types, { query: { s: ['', 'a,b'] } })).toEqual({ query_s: ['a', 'b'] });
    expect(read(types, { query: { s: ['a', 'b,c'] } })).toEqual({ query_s: ['a', 'b,c'] });
    const repeated = { 'repeated.s': new GraphQLList(new GraphQLNonNull(GraphQLString)) };
    expect(read(repeated, { query: { s: 'a,b' } })).toEqual({ repeated_s: ['a,b'] });
    expect(read(repeated, { query: { s: ['a', '', 'b,c'] } })).toEqual({ repeated_s: ['a', 'b,c'] });
    expect(read(repeated, { query: { s: '' } })).toEqual({});
    const numbers = { 'query.n': new GraphQLList(GraphQLInt) };
    expect(read(numbers, { query: { n: '1,2' } })).toEqual({ query_n: [1, 2] });
  });

  test('use the first value of a repeated single parameter', () => {
    expect(read({ 'query.n': GraphQLInt }, { query: { n: ['1', '2'] } })).toEqual({ query_n: 1 });
  });
});

describe('§2 paging parameters over HTTP', () => {
  const server = useServer();
  beforeAll(async () => {
    for (const name of ['a', 'b', 'c']) await createDocument(server, { name });
  });

  const list = '/api/v1/path/default-domain/workspaces/@children';

  test.each(['pageSize', 'currentPageIndex', 'offset', 'maxResults'])(
    '%s answers 400 when it is no number',
    async (name) => {
      for (const value of ['x', '1.5', '-99999999999', '-3']) {
        const { body } = await server.request
          .get(list)
          .query({ [name]: value })
          .expect(400);
        expect(body.message).toContain(name);
      }
    },
  );

  test('numbers of any size are taken: an offset beyond all is followed by nothing', async () => {
    const beyond = '9'.repeat(30);
    for (const query of [
      { offset: beyond },
      { offset: 7 },
      { currentPageIndex: beyond },
      { offset: 2 ** 31 },
    ]) {
      const { body } = await server.request.get(list).query(query).expect(200);
      expect(body).toMatchObject({ entries: [], resultsCount: 3 });
    }
    const { body } = await server.request.get(list).query({ maxResults: beyond }).expect(200);
    expect(body.resultsCount).toBe(3);
  });

  test('maxResults takes words, and -1 for no limit', async () => {
    const counted = async (query: object) =>
      (await server.request.get(list).query(query).expect(200)).body.resultsCount;
    expect(await counted({ maxResults: 'PAGE_SIZE', pageSize: 2 })).toBe(2);
    expect(await counted({ maxResults: 'PAGE_SIZE' })).toBe(3);
    expect(await counted({ maxResults: 'DEFAULT_NAVIGATION_RESULTS' })).toBe(3);
    expect(await counted({ maxResults: '-1' })).toBe(3);
    const call = server.request.post('/api/v1/automation/Repository.Query');
    const params = { query: 'SELECT * FROM File', maxResults: 'PAGE_SIZE', pageSize: 1 };
    const { body } = await call.send({ params }).expect(200);
    expect(body).toMatchObject({ resultsCount: 1, currentPageSize: 1 });
  });

  test('numbers select the page', async () => {
    const { body } = await server.request.get(list).query({ pageSize: '2', offset: '1' }).expect(200);
    expect(body.entries.map(({ name }: { name: string }) => name)).toEqual(['b', 'c']);
  });

  test('unknown parameters are ignored', async () => {
    await server.request.get(list).query({ nosuch: 'x', ifMatch: 'x', body: 'x', path: '/' }).expect(200);
  });
});
