import { beforeAll, describe, expect, test } from '@jest/globals';
import { compileRoute } from '../../../src/rest/compile-route.ts';
import type { Route } from '../../../src/rest/route.ts';
import { routes } from '../../../src/rest/routes.ts';
import { schema } from '../../../src/schema/index.ts';
import { contractForms } from '../../../src/selection/compatibility.ts';
import { isOperation } from '../../rest/operation-routes.ts';
import { atId } from '../../support/documents.ts';
import { askGraphql, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as } from '../../support/users.ts';
import { count, type ManyEntries, manyEntries } from './many-entries.ts';
import { byBoth, type Given, type PagedList, pagedLists } from './paged-lists.ts';

const server = useServer();
let made: ManyEntries;
beforeAll(async () => {
  made = await manyEntries(server);
});

const lists = pagedLists(() => made);

/**
 * Routes that other tests cover (rest/search, rest/comments, http/shares), and those whose only page is the whole list.
 */
const elsewhere = [
  'search',
  'searchIn',
  'query',
  'queryNxql',
  'executeSavedSearch',
  'searchAtPath',
  'searchAtId',
  'getWorkflowModels',
  'getSharedDocuments',
  ...byBoth('getAnnotationComments'),
];

const plain = { depth: 0, properties: undefined, enrichers: {}, fetch: {}, translate: {} };
const isPaged = (route: Route): boolean =>
  JSON.stringify(compileRoute({ schema, forms: contractForms }, route, plain).operation.document).includes(
    '"nextCursor"',
  );

/** Removes the port from addresses, because it differs between requests. */
const withoutPort = (entries: unknown): unknown =>
  JSON.parse(JSON.stringify(entries).replaceAll(/127\.0\.0\.1:\d+/g, ''));

const ask = (list: PagedList, given: Given = {}, agent = server.request) =>
  agent.get(list.at()).query({ ...list.given?.(), ...given });

interface Walk {
  readonly agent?: typeof server.request;
  /** The maximum number of statements for a page. */
  readonly most?: number;
}

/** Reads all pages by cursor, one after the other, and returns their entries and numbers of statements. */
async function walk(list: PagedList, given: Given, { agent, most = Number.POSITIVE_INFINITY }: Walk = {}) {
  const entries: unknown[] = [];
  const costs = new Set<number>();
  for (let cursor: unknown = '*'; cursor !== undefined; ) {
    let answer = await ask(list, { ...given, cursor }, agent).expect(200);
    // The caller is cached for a minute, after which one page reads it again.
    if (statements(answer) > most) answer = await ask(list, { ...given, cursor }, agent).expect(200);
    const { body } = answer;
    // The fields of a page of comments have other names.
    if ('resultsCount' in body)
      expect([body.currentPageOffset, body.resultsCount - entries.length > body.entries.length]).toEqual([
        entries.length,
        'nextCursor' in body,
      ]);
    entries.push(...body.entries);
    costs.add(statements(answer));
    cursor = body.nextCursor;
  }
  return { entries, costs };
}

const orderOf = (order: string): Given => {
  const keys = order.split(',').map((key) => key.split(' '));
  return {
    sortBy: keys.map(([name]) => name).join(','),
    sortOrder: keys.map(([, direction = 'desc']) => direction).join(','),
  };
};

describe.each(Object.entries(lists))('§2 %s by cursor', (_, list) => {
  test.each(['', ...(list.orders ?? [])])(
    'are those of the pages by number, in the order "%s"',
    async (order) => {
      const given = order ? orderOf(order) : {};
      const whole = await ask(list, { ...given, pageSize: 100 }).expect(200);
      expect(whole.body.entries.length).toBeGreaterThanOrEqual(Math.min(count, 6));
      expect('nextCursor' in whole.body).toBe(false);
      const numbered = statements(await ask(list, { ...given, pageSize: 3 }).expect(200));
      for (const pageSize of order ? [4] : [1, 4, 100]) {
        const { entries, costs } = await walk(list, { ...given, pageSize }, { most: numbered });
        expect(withoutPort(entries)).toEqual(withoutPort(whole.body.entries));
        for (const cost of costs) expect(cost).toBeLessThanOrEqual(numbered);
      }
    },
  );

  test('are refused if they belong to another list or order, or are malformed', async () => {
    const { nextCursor: cursor } = (await ask(list, { pageSize: 2, cursor: '*' }).expect(200)).body;
    const other = lists[list === lists.children ? 'audit' : 'children'] as PagedList;
    expect(typeof cursor).toBe('string');
    const [, keys, offset] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const forged = (changed: unknown[]) =>
      Buffer.from(
        JSON.stringify([JSON.parse(Buffer.from(cursor, 'base64url').toString())[0], ...changed]),
      ).toString('base64url');
    const faulty = [
      ask(other, { cursor }),
      ask(list, { cursor: 'odd' }),
      ask(list, { cursor: forged([[], offset]) }),
      ask(list, { cursor: forged([keys.map(() => null), offset]) }),
      ...(list.orders ? [ask(list, { cursor, ...orderOf(list.orders[0] ?? '') })] : []),
    ];
    for (const answer of faulty) {
      const { body } = await answer.expect(400);
      expect(body.message).toMatch(/^cursor(?: is not a nextCursor| does not belong to this sort order)/);
    }
  });
});

describe('cursors', () => {
  test('are accepted by every list that has pages', () => {
    const paged = routes.filter((route) => !isOperation(route) && isPaged(route));
    const named = [...Object.values(lists).flatMap(({ of }) => of), ...elsewhere];
    expect(paged.map(({ name }) => name).sort()).toEqual([...named].sort());
    for (const route of paged) {
      const { operation } = compileRoute({ schema, forms: contractForms }, route, plain);
      expect([route.name, operation.inputs.has('query.cursor')]).toEqual([route.name, true]);
    }
  });

  test('of a list with a single page: only * is valid', async () => {
    const whole = server.request.get('/api/v1/workflowModel');
    expect('nextCursor' in (await whole.query({ cursor: '*' }).expect(200)).body).toBe(false);
    await server.request.get('/api/v1/workflowModel').query({ cursor: 'odd' }).expect(400);
  });

  test('show only what the caller may read', async () => {
    const list = lists.children as PagedList;
    const bob = as(server, 'bob');
    const { entries } = await walk(list, { pageSize: 2 }, { agent: bob });
    expect(entries.length).toBe(count);
  });

  test('end with maxResults, and replace page numbers', async () => {
    const list = lists.children as PagedList;
    expect((await walk(list, { pageSize: 2, maxResults: 5 })).entries.length).toBe(5);
    const { body } = await ask(list, { pageSize: 2, currentPageIndex: 2, cursor: '*' }).expect(200);
    expect(body.currentPageIndex).toBe(0);
  });

  test('neither skip nor repeat entries when others are inserted and deleted', async () => {
    const list = lists['users with a prefix'] as PagedList;
    const first = await ask(list, { pageSize: 3, cursor: '*' }).expect(200);
    await server.database.prisma.user.create({ data: { id: 'u00' } });
    const { nextCursor: cursor } = first.body;
    const second = await ask(list, { pageSize: 3, cursor }).expect(200);
    await server.database.prisma.user.delete({ where: { id: 'u00' } });
    const ids = [...first.body.entries, ...second.body.entries].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['u0', 'u1', 'u2', 'u3', 'u4', 'u5']);
  });

  test('are accepted by versions and other lists of GraphQL, also for many documents at once', async () => {
    const asked = `query ($id: ID, $cursor: String) {
      document(id: $id) { versions(pageSize: 4, cursor: $cursor) { nextCursor entries { uid } } }
    }`;
    type Versions = {
      document: { versions: { nextCursor: string | null; entries: Array<{ uid: string }> } };
    };
    const ids: string[] = [];
    for (let cursor: string | null = '*'; cursor !== null; ) {
      const found: Versions = await askGraphql<Versions>(server.request, asked, {
        id: made.file.uid,
        cursor,
      });
      ids.push(...found.document.versions.entries.map(({ uid }) => uid));
      cursor = found.document.versions.nextCursor;
    }
    expect([ids.length, new Set(ids).size]).toEqual([count, count]);
    const many = `{ a: document(id: "${made.folder.uid}") { children(pageSize: 2, cursor: "*") { nextCursor } }
      b: document(id: "${made.ordered.uid}") { children(pageSize: 2, cursor: "*") { nextCursor } } }`;
    const found = await askGraphql<Record<'a' | 'b', { children: { nextCursor: string } }>>(
      server.request,
      many,
    );
    const ofOther = server.request.get(`${atId(made.folder.uid)}/@children`);
    await ofOther.query({ cursor: found.b.children.nextCursor }).expect(400);
    const next = server.request.get(`${atId(made.folder.uid)}/@children`);
    await next.query({ cursor: found.a.children.nextCursor }).expect(200);
  });

  test('are accepted by operations that return pages', async () => {
    const input = made.collection.uid;
    const id = 'Collection.GetDocumentsFromCollection';
    const first = await call(server.request, id, { input, params: { pageSize: 5, cursor: '*' } }).expect(200);
    const { nextCursor: cursor } = first.body;
    const second = await call(server.request, id, { input, params: { pageSize: 5, cursor } }).expect(200);
    expect([...first.body.entries, ...second.body.entries].length).toBe(count);
    const query = 'SELECT ecm:uuid FROM File';
    const records = await call(server.request, 'Repository.ResultSetQuery', {
      params: { query, cursor: '*' },
    });
    expect([records.status, records.body.message]).toEqual([
      400,
      'cursor: not supported for queries that select columns. Use page numbers instead.',
    ]);
    const logged = await call(server.request, 'Audit.Query', { params: { pageSize: 2, cursor: '*' } }).expect(
      200,
    );
    expect(typeof logged.body.nextCursor).toBe('string');
  });
});
