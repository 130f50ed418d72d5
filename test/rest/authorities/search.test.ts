import { beforeAll, describe, expect, test } from '@jest/globals';
import { beginsIgnoringCase } from '../../../src/query/like.ts';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { atGroup, missingName, postGroup, postUser, sidesOf } from './authority-requests.ts';

const server = useServer();
const people = [
  { username: 'ann', firstName: 'Anna', lastName: 'Zander' },
  { username: 'bea', firstName: 'Beatrice', lastName: 'Annan' },
  { username: 'carl', firstName: '100%', lastName: 'Under_score' },
  { username: 'dora', firstName: 'ANNABEL', groups: ['members'] },
  { username: 'elle', lastName: 'Joanna' },
  { username: 'jdoe7', firstName: 'John', lastName: 'Doeson' },
  { username: 'mas', firstName: 'Mary Ann', lastName: 'von der Smith' },
];
beforeAll(async () => {
  for (const properties of people) await postUser(server, properties);
  await postGroup(server, { id: 'anglers', grouplabel: 'Fishers' });
  await postGroup(server, {
    id: 'bakers',
    grouplabel: 'Anonymous bakers',
    memberGroups: ['anglers', 'members'],
  });
  await postGroup(server, { id: 'crowd', memberUsers: ['ann', 'bea', 'carl', 'dora'] });
});

const ids = (body: { entries: Array<{ id: string }> }): string[] => body.entries.map(({ id }) => id);

const search = async (kind: 'user' | 'group', query: Record<string, unknown>) =>
  (await server.request.get(`/api/v1/${kind}/search`).query(query).expect(200)).body;

describe('§4.3, §4.4 GET /user and /group', () => {
  const list = async (kind: 'user' | 'group', query: Record<string, unknown> = {}) =>
    (await server.request.get(`/api/v1/${kind}`).query(query).expect(200)).body;

  test('list all without q, page by page', async () => {
    const users = await list('user');
    expect(users).toMatchObject({ 'entity-type': 'users', resultsCount: 8, numberOfPages: 1 });
    expect(ids(users)).toEqual(['Administrator', 'ann', 'bea', 'carl', 'dora', 'elle', 'jdoe7', 'mas']);
    expect(ids(await list('user', { q: '' }))).toHaveLength(8);
    expect(ids(await list('user', { pageSize: 2, currentPageIndex: 1 }))).toEqual(['bea', 'carl']);
    const groups = await list('group');
    expect(groups['entity-type']).toBe('groups');
    expect(ids(groups)).toEqual(expect.arrayContaining(['anglers', 'bakers', 'crowd', 'members']));
  });

  test('find those whose names begin with q', async () => {
    expect(ids(await list('user', { q: 'ann' }))).toEqual(['ann', 'bea', 'dora']);
    expect(ids(await list('group', { q: 'anon' }))).toEqual(['bakers']);
    expect(ids(await list('group', { q: 'none' }))).toEqual([]);
  });

  test('need credentials, and a page size that is a number', async () => {
    await server.anonymous.get('/api/v1/user').expect(401);
    await server.request.get('/api/v1/user').query({ pageSize: 'ten' }).expect(400);
  });
});

describe('§4.3 GET /user/search', () => {
  test.each([
    ['ann', ['ann', 'bea', 'dora']],
    ['ANN', ['ann', 'bea', 'dora']],
    ['anna', ['ann', 'bea', 'dora']],
    ['annab', ['dora']],
    ['zan', ['ann']],
    ['nna', []],
    ['%', []],
    ['_', []],
    ['100%', ['carl']],
    ['under_', ['carl']],
    ['John Doeson', ['jdoe7']],
    ['Doeson John', ['jdoe7']],
    ['john d', ['jdoe7']],
    ['jo  doe', ['jdoe7']],
    ['John Smith', []],
    ['John %', []],
    ['mary ann von der s', ['mas']],
    ['Von der Smith Mary', ['mas']],
    ['a b c d e f g h', []],
    ['underX', []],
    ['*', ['Administrator', 'ann', 'bea', 'carl', 'dora', 'elle', 'jdoe7', 'mas']],
    ['**', []],
    ['', []],
    ['\0', []],
    ["'; DROP TABLE user; --", []],
  ])('finds for %j at the beginning of names: %j', async (q, expected) => {
    expect(ids(await search('user', { q })).sort()).toEqual([...expected].sort());
  });

  test('finds nothing without q', async () => {
    expect(await search('user', {})).toMatchObject({ 'entity-type': 'users', resultsCount: 0, entries: [] });
  });

  test('answers a page of user entities with isPartial', async () => {
    const { entries, ...page } = await search('user', { q: 'dora' });
    expect(page).toEqual({
      'entity-type': 'users',
      isPaginable: true,
      resultsCount: 1,
      pageSize: 50,
      maxPageSize: 1000,
      resultsCountLimit: 1,
      currentPageSize: 1,
      currentPageIndex: 0,
      currentPageOffset: 0,
      numberOfPages: 1,
      isPreviousPageAvailable: false,
      isNextPageAvailable: false,
      isLastPageAvailable: false,
      isSortable: false,
      hasError: false,
      errorMessage: null,
    });
    const { body } = await server.request.get('/api/v1/user/dora').expect(200);
    expect(entries).toEqual([{ ...body, isPartial: true }]);
    expect(body).not.toHaveProperty('isPartial');
  });

  test('is paged in the order of the ids', async () => {
    const all = ids(await search('user', { q: '*' }));
    const pages = [];
    for (const currentPageIndex of [0, 1, 2, 3, 4]) {
      pages.push(await search('user', { q: '*', pageSize: 2, currentPageIndex }));
    }
    expect(pages.flatMap(ids)).toEqual(all);
    expect(pages[1]).toMatchObject({
      resultsCount: 8,
      numberOfPages: 4,
      currentPageIndex: 1,
      currentPageOffset: 2,
      isPreviousPageAvailable: true,
      isNextPageAvailable: true,
      currentPageSize: 2,
    });
    expect(pages[4]).toMatchObject({ entries: [], resultsCount: 8 });
    expect(ids(await search('user', { q: '*', offset: 4 }))).toEqual(all.slice(4));
    expect(await search('user', { q: '*', pageSize: 5000 })).toMatchObject({ pageSize: 1000 });
  });

  test.each([{ pageSize: 'x' }, { pageSize: -2 }, { currentPageIndex: -1 }, { offset: 1.5 }])(
    'answers 400 for %j',
    async (query) => {
      const response = await server.request
        .get('/api/v1/user/search')
        .query({ q: '*', ...query })
        .expect(400);
      expect(response.body).toMatchObject(
        exception(400, expect.stringContaining(Object.keys(query)[0] ?? '')),
      );
    },
  );
});

describe('§4.4 GET /group/search', () => {
  test.each([
    ['an', ['anglers', 'bakers']],
    ['FISH', ['anglers']],
    ['bake', ['bakers']],
    ['', []],
    ['*', ['administrators', 'anglers', 'bakers', 'crowd', 'members', 'powerusers']],
  ])('finds for %j at the beginning of name and label: %j', async (q, expected) => {
    const body = await search('group', { q });
    expect(body).toMatchObject({ 'entity-type': 'groups', isSortable: false, resultsCount: expected.length });
    expect(ids(body).sort()).toEqual([...expected].sort());
  });

  test('returns group entities with the fields that fetch.group names', async () => {
    const plain = await search('group', { q: 'bakers' });
    expect(plain.entries).toEqual([(await server.request.get(atGroup('bakers'))).body]);
    const fetched = await search('group', { q: 'bakers', 'fetch.group': 'memberGroups' });
    expect(fetched.entries).toMatchObject([{ id: 'bakers', memberGroups: ['anglers', 'members'] }]);
  });
});

describe('§4.4 GET /group/ID/@users and /@groups', () => {
  const below = async (address: string, query = {}) =>
    (await server.request.get(`/api/v1/group/${address}`).query(query).expect(200)).body;

  test('return the direct members, all of them without q', async () => {
    expect(ids(await below('crowd/@users'))).toEqual(['ann', 'bea', 'carl', 'dora']);
    expect(ids(await below('crowd/@users', { q: '' }))).toHaveLength(4);
    expect(ids(await below('crowd/@users', { q: '*' }))).toHaveLength(4);
    expect(await below('bakers/@groups')).toMatchObject({
      'entity-type': 'groups',
      resultsCount: 2,
      entries: [{ 'entity-type': 'group', id: 'anglers' }, { id: 'members' }],
    });
    expect(await below('crowd/@groups')).toMatchObject({ 'entity-type': 'groups', entries: [] });
    expect(await below('bakers/@users')).toMatchObject({ 'entity-type': 'users', entries: [] });
  });

  test('support q and paging', async () => {
    expect(ids(await below('crowd/@users', { q: 'ann' }))).toEqual(['ann', 'bea', 'dora']);
    expect(ids(await below('bakers/@groups', { q: 'fish' }))).toEqual(['anglers']);
    const page = await below('crowd/@users', { pageSize: 3, currentPageIndex: 1 });
    expect(page).toMatchObject({ resultsCount: 4, currentPageSize: 1, isPreviousPageAvailable: true });
    expect(ids(page)).toEqual(['dora']);
  });

  test('answer 404 when the group does not exist', async () => {
    for (const list of ['@users', '@groups']) {
      const response = await server.request.get(atGroup(missingName, `/${list}`)).expect(404);
      expect(response.body).toMatchObject(exception(404, expect.stringContaining(missingName)));
    }
    await server.request.get(atGroup('ann', '/@users')).expect(404);
    await server.request.get(atGroup('crowd', '/@nosuch')).expect(404);
  });
});

/** Counts the statements of a GET for a cached caller: each write drops the caller from the cache. */
async function cost(address: string): Promise<number> {
  await server.request.get('/api/v1/me').expect(200);
  return statements(await server.request.get(`/api/v1${address}`).expect(200));
}

const every = 'fetch.group=memberUsers,memberGroups,parentGroups';

describe('§4.4 names among many users', () => {
  const every = { name: '', text: '' };
  const sql = (text: string) => server.database.query<Record<string, unknown>>({ ...every, text }, []);

  test('are found in a group of more than 1,000 members, with totals and pages', async () => {
    await sql(`INSERT INTO "user" (id, folded_id, properties)
      SELECT 'many' || i, 'MANY' || i, jsonb_build_object('firstName', 'Zoé' || i % 3, 'lastName', 'Last' || i)
      FROM generate_series(1, 2000) i`);
    await sql(`INSERT INTO "group" (id, folded_id) VALUES ('thousands', 'THOUSANDS')`);
    await sql(`INSERT INTO user_membership (member_id, group_id)
      SELECT 'many' || i, 'thousands' FROM generate_series(1, 1500) i`);
    const members = async (query: Record<string, unknown>) =>
      (await server.request.get('/api/v1/group/thousands/@users').query(query).expect(200)).body;
    expect((await members({ q: 'many1' })).resultsCount).toBe(612);
    expect((await members({ q: 'many2' })).resultsCount).toBe(111);
    expect(await members({ q: 'ZOÉ1', pageSize: 2, currentPageIndex: 1 })).toMatchObject({
      resultsCount: 500,
      entries: [{ id: 'many100' }, { id: 'many1000' }],
    });
    expect(ids(await members({ q: 'last150 zoé0' }))).toEqual(['many150', 'many1500']);
    expect(ids(await members({ q: 'last1999' }))).toEqual([]);
    expect(ids(await members({ q: 'zo_' }))).toEqual([]);
    await sql(`DELETE FROM "user" WHERE id LIKE 'many%'`);
  });

  test.each(['id', "properties ->> 'firstName'", "properties ->> 'email'", "properties ->> 'tenantId'"])(
    'are looked up in an index of %s, also by a plan for any value',
    async (field) => {
      await server.database.transaction(60, async ({ query }) => {
        const run = (text: string) => query<Record<string, string>>({ ...every, text }, []);
        await run('SET LOCAL plan_cache_mode = force_generic_plan');
        await run('SET LOCAL enable_seqscan = off');
        const condition = beginsIgnoringCase(`u.${field}`, '$1');
        await run(`PREPARE named AS SELECT u.id FROM "user" u WHERE ${condition}`);
        const plan = (await run("EXPLAIN EXECUTE named ('a')")).map((row) => row['QUERY PLAN']).join('\n');
        await run('DEALLOCATE named');
        expect(plan).toMatch(/Index Scan (on|using) user_lower_/);
      });
    },
  );
});

describe('the SQL cost of users and groups', () => {
  test('is the same for lists of fifty entries as of two', async () => {
    const two = await cost('/user/search?q=*&pageSize=2');
    const groups = await cost(`/group/search?q=*&pageSize=2&${every}`);
    for (let index = 0; index < 50; index += 1) {
      await postUser(server, {
        username: `many-${index}`,
        firstName: 'Many',
        lastName: 'More',
        password: null,
        groups: ['crowd', 'members'],
      });
      await postGroup(server, { id: `many-of-${index}`, memberUsers: [`many-${index}`] });
    }
    expect(await cost('/user/search?q=many')).toBe(two);
    expect(await cost('/user/search?q=many%20more')).toBe(two);
    expect(two).toBeLessThanOrEqual(3);
    expect(await cost(`/group/search?q=many&${every}`)).toBe(groups);
    expect(groups).toBeLessThanOrEqual(3);
    expect(await cost('/group/crowd/@users')).toBeLessThanOrEqual(4);
  });

  test('is at most four statements for a group with all members, 200 as 2', async () => {
    const { prisma } = server.database;
    const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
    await prisma.user.createMany({ data: names('big-user-', 200).map((id) => ({ id })) });
    await prisma.group.createMany({ data: names('big-group-', 50).map((id) => ({ id })) });
    for (const [id, count, nested] of [
      ['small', 2, 2],
      ['big', 200, 50],
    ] as const) {
      const members = { memberUsers: names('big-user-', count), memberGroups: names('big-group-', nested) };
      await postGroup(server, { id, ...members });
    }
    const [small, big] = [await cost(`/group/small?${every}`), await cost(`/group/big?${every}`)];
    expect((await sidesOf(server, 'big')).memberUsers).toHaveLength(200);
    expect(big).toBe(small);
    expect(big + 1).toBeLessThanOrEqual(4); // plus one to load a caller who is not cached
  });
});
