import { beforeAll, describe, expect, test } from '@jest/globals';
import { otherProviders } from '../../../src/model/search/other-providers.ts';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call, type Requests } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { createGroup, createUser, useUser } from '../../support/users.ts';

import type { LogEntryEntity } from '../audit/audit-requests.ts';

const server = useServer();
let file: DocumentEntity;
beforeAll(async () => {
  await createGroup(server, 'outer');
  await createGroup(server, 'inner', ['outer']);
  await createUser(server, 'bea', ['outer']);
  file = await createDocument(server);
  await call(server.request, 'Document.Trash', { input: file.uid });
});
const ann = useUser(server, 'ann', ['members', 'outer']);

const execute = (request: Requests, name: string, given: object = {}) =>
  request.get(`/api/v1/search/pp/${name}/execute`).query(given);

const events = ({ body }: { body: { entries: LogEntryEntity[] } }) =>
  body.entries.map(({ eventId }) => eventId);
const ids = ({ body }: { body: { entries: Array<{ id: string }> } }) => body.entries.map(({ id }) => id);

describe('§4.7 every page provider that finds no documents', () => {
  test.each([...otherProviders.values()])('$name is described at /search/pp/NAME', async ({ name }) => {
    const { body } = await ann.get(`/api/v1/search/pp/${name}`).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'pageProvider', name, query: '', predicates: [] });
  });

  test.each([...otherProviders.values()])(
    '$name answers $finds',
    async ({ name, finds, takes, pageSize = 50 }) => {
      const values = { documentId: file.uid, group: 'outer', directory: 'subtopic' };
      const queryParams = takes.map((parameter) => ({ ...values })[parameter as 'group'] ?? 'x');
      for (const address of [`/search/lang/pp/${name}`, `/search/pp/${name}/execute`, `/query/${name}`]) {
        const { body } = await server.request.get(`/api/v1${address}`).query({ queryParams }).expect(200);
        expect(body).toMatchObject({ 'entity-type': finds, isPaginable: true, pageSize });
      }
    },
  );

  test.each([...otherProviders.values()].filter(({ takes }) => takes.length > 0))(
    '$name answers 400 without its positional parameters',
    async ({ name, takes }) => {
      const { body } = await execute(ann, name).expect(400);
      expect(body.message).toBe(`queryParams: ${name} requires values for ${takes.join(', ')}; got 0.`);
    },
  );

  test('Repository.PageProvider and GraphQL of documents refuse them', async () => {
    const params = { providerName: 'EVENTS_VIEW' };
    const { body } = await call(server.request, 'Repository.PageProvider', { params }).expect(400);
    expect(body.message).toBe('The page provider EVENTS_VIEW returns logEntries rather than documents.');
    const query = `{ pageProvider(name: "EVENTS_VIEW") { documents { totalSize } tasks { totalSize }
      logEntries(pageSize: 1) { entries { eventId } } } }`;
    const answer = await server.request.post('/graphql').send({ query }).expect(200);
    expect(answer.body.data.pageProvider).toEqual({
      documents: null,
      tasks: null,
      logEntries: { entries: [{ eventId: expect.any(String) }] },
    });
  });
});

describe('§4.7 page providers of the log', () => {
  test('DOCUMENT_HISTORY_PROVIDER has the entries of a document that the caller may read', async () => {
    for (const request of [server.request, ann]) {
      const answer = await execute(request, 'DOCUMENT_HISTORY_PROVIDER', { queryParams: file.uid }).expect(
        200,
      );
      expect(events(answer)).toEqual(['documentTrashed', 'documentCreated']);
      expect(answer.body).toMatchObject({ 'entity-type': 'logEntries', resultsCount: 2, isSortable: true });
      const { body } = await request.get(`/api/v1/id/${file.uid}/@audit`).expect(200);
      expect(answer.body).toEqual(body);
      const atDocument = await request
        .get(`/api/v1/id/${file.uid}/@pp/DOCUMENT_HISTORY_PROVIDER`)
        .expect(200);
      expect(atDocument.body).toEqual(body);
    }
  });

  test.each<[object, string[]]>([
    [{ eventIds: 'documentCreated' }, ['documentCreated']],
    [{ 'bas:eventIds': '["documentTrashed","x"]' }, ['documentTrashed']],
    [{ eventCategories: 'x', who: 'ignored' }, []],
    [{ principalNames: '$currentUser' }, ['documentTrashed', 'documentCreated']],
    [{ principalNames: 'ann' }, []],
    [{ endDate: '2020-01-01' }, []],
    [{ sortBy: 'id', sortOrder: 'asc' }, ['documentCreated', 'documentTrashed']],
    [{ pageSize: 1, currentPageIndex: 1 }, ['documentCreated']],
  ])('is filtered, sorted and paged by %j', async (given, expected) => {
    const wish = { queryParams: file.uid, ...given };
    expect(events(await execute(server.request, 'DOCUMENT_HISTORY_PROVIDER', wish).expect(200))).toEqual(
      expected,
    );
  });

  test('without Read the answer is 403, and 404 when there is no document, except for administrators', async () => {
    const closed = await createDocument(server);
    await setAcl(server, closed.path, only('Administrator', 'Everything'));
    const ask = (request: Requests, queryParams: string) =>
      execute(request, 'DOCUMENT_HISTORY_PROVIDER', { queryParams });
    await ask(ann, closed.uid).expect(403);
    await ann.get(`/api/v1/id/${closed.uid}/@pp/DOCUMENT_HISTORY_PROVIDER`).expect(403);
    await server.request.delete(`/api/v1/id/${closed.uid}`).expect(204);
    await ask(ann, closed.uid).expect(404);
    await ask(ann, 'no-uuid').expect(404);
    expect(events(await ask(server.request, closed.uid).expect(200))[0]).toBe('documentRemoved');
  });

  test.each(['EVENTS_VIEW', 'AUDIT_BROWSER'])('%s has all entries, for administrators', async (name) => {
    const answer = await execute(server.request, name, { eventIds: 'documentTrashed' }).expect(200);
    expect(answer.body.entries).toEqual([expect.objectContaining({ docUUID: file.uid })]);
    expect(statements(answer)).toBe(1);
    await execute(ann, name).expect(403);
    await ann.get(`/api/v1/id/${file.uid}/@pp/${name}`).expect(403);
  });

  test.each([
    [{ eventIds: '[' }, 'eventIds'],
    [{ startDate: 'soon' }, 'startEventDate'],
    [{ sortBy: 'nothing' }, 'sortBy'],
    [{ pageSize: -2 }, 'pageSize'],
  ])('answer 400 for %j', async (given, named) => {
    const { body } = await execute(server.request, 'EVENTS_VIEW', given).expect(400);
    expect(body.message).toContain(named);
  });
});

describe('§4.7 listings', () => {
  test.each<[string, object, string[]]>([
    ['nuxeo_principals_listing', { queryParams: 'an' }, ['ann']],
    ['nuxeo_principals_listing', { searchTerm: 'BE' }, ['bea']],
    ['nuxeo_groups_listing', { queryParams: 'out' }, ['outer']],
    ['nuxeo_group_member_users_listing', { queryParams: 'outer' }, ['ann', 'bea']],
    ['nuxeo_group_member_users_listing', { queryParams: 'outer', searchTerm: 'b' }, ['bea']],
    ['nuxeo_group_member_users_listing', { queryParams: 'outer', pageSize: 1, currentPageIndex: 1 }, ['bea']],
    ['nuxeo_group_member_groups_listing', { queryParams: 'outer' }, ['inner']],
    ['nuxeo_group_member_groups_listing', { queryParams: 'inner' }, []],
  ])('%s answers for %j', async (name, given, expected) => {
    expect(ids(await execute(ann, name, given).expect(200))).toEqual(expected);
  });

  test('all users and groups are listed without a parameter', async () => {
    expect(ids(await execute(ann, 'nuxeo_principals_listing'))).toEqual(
      expect.arrayContaining(['Administrator', 'ann', 'bea']),
    );
    expect(ids(await execute(ann, 'nuxeo_groups_listing'))).toEqual(
      expect.arrayContaining(['inner', 'members', 'outer']),
    );
  });

  test('nuxeo_directory_entry_listing is like /directory/NAME', async () => {
    const listing = (request: Requests, queryParams: string, more: object = {}) =>
      execute(request, 'nuxeo_directory_entry_listing', { queryParams, ...more });
    const { body } = await ann.get('/api/v1/directory/nature?pageSize=3&currentPageIndex=1').expect(200);
    const page = { pageSize: 3, currentPageIndex: 1 };
    expect((await listing(ann, 'nature', page).expect(200)).body).toEqual(body);
    await listing(ann, 'nowhere').expect(404);
    const direct = await ann.get('/api/v1/directory/oauth2Tokens');
    const { status } = await listing(ann, 'oauth2Tokens');
    expect([status, direct.status]).toEqual([403, 403]);
  });

  test('a missing group is 404', async () => {
    for (const members of ['users', 'groups'])
      await execute(ann, `nuxeo_group_member_${members}_listing`, { queryParams: 'nobody' }).expect(404);
  });
});
