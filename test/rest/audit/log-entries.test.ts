import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { audit, eventsOf, type LogEntryEntity } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A document that was changed so many times. */
async function changed(times: number, parent?: string): Promise<DocumentEntity> {
  const document = await createDocument(server, parent === undefined ? {} : { parent });
  for (let time = 1; time <= times; time += 1) {
    const properties = { 'dc:title': `${time}` };
    await server.request
      .put(`/api/v1/id/${document.uid}`)
      .set('Update-Comment', `the change ${time}`)
      .send({ 'entity-type': 'document', properties })
      .expect(200);
  }
  return document;
}

describe('§2.6 @audit', () => {
  test('answers entries with exactly these fields, the latest first', async () => {
    const { uid, path } = await changed(1);
    const { body } = await audit(server, { uid }).expect(200);
    expect(body.entries).toHaveLength(2);
    expect(body.entries[0]).toEqual({
      'entity-type': 'logEntry',
      id: expect.any(Number),
      category: 'eventDocumentCategory',
      principalName: 'Administrator',
      comment: 'the change 1',
      docLifeCycle: 'project',
      docPath: path,
      docType: 'File',
      docUUID: uid,
      eventId: 'documentModified',
      repositoryId: 'default',
      eventDate: expect.stringMatching(moment),
      logDate: expect.stringMatching(moment),
      extended: {},
    });
    expect(body.entries[1]).toMatchObject({ eventId: 'documentCreated', comment: null });
    expect(body.entries[0].id).toBeGreaterThan(body.entries[1].id);
  });

  test('tells when something happened, and then, never earlier, when that was written', async () => {
    const { body } = await audit(server, await changed(30)).expect(200);
    expect(body.entries).toHaveLength(31);
    for (const { eventDate, logDate } of body.entries)
      expect(Date.parse(logDate)).toBeGreaterThanOrEqual(Date.parse(eventDate));
  });

  test('answers an envelope of §2 with exactly these fields, and names its type', async () => {
    const response = await audit(server, await changed(2), { pageSize: 2, currentPageIndex: 1 }).expect(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8; nuxeo-entity=logEntries');
    expect(response.body).toEqual({
      'entity-type': 'logEntries',
      isPaginable: true,
      resultsCount: 3,
      pageSize: 2,
      maxPageSize: 1000,
      resultsCountLimit: 3,
      currentPageSize: 1,
      currentPageIndex: 1,
      currentPageOffset: 2,
      numberOfPages: 2,
      isPreviousPageAvailable: true,
      isNextPageAvailable: false,
      isLastPageAvailable: false,
      isSortable: true,
      hasError: false,
      errorMessage: null,
      entries: [expect.objectContaining({ eventId: 'documentCreated' })],
    });
  });

  test('is there by path too, for the root too; 50 entries at most unless asked for more', async () => {
    const { path, uid } = await changed(0);
    const { body } = await server.request.get(`/api/v1/path${path}/@audit`).expect(200);
    expect(body).toMatchObject({ pageSize: 50, entries: [{ docUUID: uid, eventId: 'documentCreated' }] });
    await server.request.get('/api/v1/path/@audit').expect(200);
  });

  test('needs Read on the document, and no more', async () => {
    const { uid, path } = await changed(0);
    const [reader, stranger, writer] = [
      await createUser(server, 'audit-reader'),
      await createUser(server, 'audit-stranger'),
      await createUser(server, 'audit-writer'),
    ];
    await setAcl(server, path, [grant(reader, 'Read'), grant(writer, 'WriteProperties')]);
    const by = (user: string) => audit({ request: as(server, user) }, { uid });
    await by(reader).expect(200);
    await by(stranger).expect(403);
    await by(writer).expect(403);
    await audit(server, { uid: '00000000-0000-4000-8000-000000000000' }).expect(404);
  });

  test('knows a document by its id: what another one at the same path did is not its own', async () => {
    const first = await createDocument(server, { name: 'again' });
    await server.request.delete(`/api/v1/id/${first.uid}`).expect(204);
    const second = await createDocument(server, { name: 'again' });
    expect(second.path).toBe(first.path);
    expect(await eventsOf(server, second)).toEqual(['documentCreated']);
  });
});

describe('§2.6 The filters of @audit', () => {
  let document: DocumentEntity;
  beforeAll(async () => {
    document = await createDocument(server);
    const day = (date: string) => ({ docUuid: document.uid, eventDate: new Date(date) });
    const data = [
      { ...day('2020-01-01T00:00:00Z'), eventId: 'one', category: 'A', principalName: 'ann' },
      { ...day('2020-01-01T23:59:59.999Z'), eventId: 'two', category: 'A', principalName: 'bob' },
      { ...day('2020-01-02T00:00:00Z'), eventId: 'three', category: 'B', principalName: 'ann' },
      { ...day('2020-01-02T12:00:00Z'), eventId: 'one', category: 'B', principalName: 'cid' },
    ].map((entry) => ({ ...entry, repository: 'default' }));
    await server.database.prisma.logEntry.deleteMany({ where: { docUuid: document.uid } });
    await server.database.prisma.logEntry.createMany({ data });
  });

  const found = async (query: Parameters<typeof audit>[2]): Promise<string> => {
    const { body } = await audit(server, document, query).expect(200);
    expect(body.resultsCount).toBe(body.entries.length);
    return body.entries.map(({ eventId }: LogEntryEntity) => eventId).join(' ');
  };

  test.each([
    [{}, 'one three two one'],
    [{ eventId: 'one' }, 'one one'],
    [{ eventId: ['one', 'two'] }, 'one two one'],
    [{ eventId: 'two,three' }, 'three two'],
    [{ eventId: 'nothing' }, ''],
    [{ category: 'B' }, 'one three'],
    [{ category: ['A', 'B'] }, 'one three two one'],
    [{ principalName: 'ann' }, 'three one'],
    [{ principalName: ['bob', 'cid'] }, 'one two'],
    [{ category: 'A', principalName: 'ann' }, 'one'],
    [{ startEventDate: '2020-01-02' }, 'one three'],
    [{ endEventDate: '2020-01-01' }, 'two one'],
    [{ startEventDate: '2020-01-01', endEventDate: '2020-01-01' }, 'two one'],
    [{ endEventDate: '2020-01-02T00:00:00Z' }, 'three two one'],
    [{ startEventDate: '2020-01-02T01:00:00+01:00' }, 'one three'],
    [{ startEventDate: '2020-01-02T12:00:00.001Z' }, ''],
    [{ startEventDate: '2021-01-01', endEventDate: '2020-01-01' }, ''],
    [{ sortBy: 'eventDate', sortOrder: 'asc' }, 'one two three one'],
    [{ sortBy: 'eventId', sortOrder: 'ASC' }, 'one one three two'],
    [{ sortBy: 'principalName,eventDate', sortOrder: 'asc,asc' }, 'one three two one'],
    [{ sortBy: 'id' }, 'one three two one'],
  ])('%j', async (query, events) => {
    expect(await found(query as Parameters<typeof audit>[2])).toBe(events);
  });

  test('that are empty are none', async () => {
    const names = ['eventId', 'category', 'principalName', 'startEventDate', 'endEventDate', 'sortBy'];
    const all = await found({});
    expect(all).not.toBe('');
    expect(await found(Object.fromEntries(names.map((name) => [name, ''])))).toBe(all);
  });

  test.each([
    ['startEventDate', 'yesterday'],
    ['startEventDate', '2020-02-30'],
    ['endEventDate', '2020-01-01T25:00:00Z'],
    ['sortBy', 'extended'],
    ['sortBy', 'toString'],
    ['sortBy', 'dc:title'],
    ['pageSize', '-1'],
    ['currentPageIndex', 'x'],
  ])('%s: "%s" is 400 and named', async (name, value) => {
    const { body } = await audit(server, document, { [name]: value }).expect(400);
    expect(body.message).toContain(name);
  });

  test('NUL in one of them is 400', async () => {
    for (const name of ['eventId', 'category', 'principalName'])
      await server.request.get(`/api/v1/id/${document.uid}/@audit?${name}=%00`).expect(400);
  });
});

describe('The cost of log entries', () => {
  test('@audit is one statement after that of the document, however many there are', async () => {
    const [few, many] = [await changed(0), await changed(12)];
    const [one, twelve] = [await audit(server, few).expect(200), await audit(server, many).expect(200)];
    expect(twelve.body.entries).toHaveLength(13);
    expect(statements(one)).toBe(2);
    expect(statements(twelve)).toBe(2);
  });

  test('those of all children are one statement too', async () => {
    const parents = [
      await createDocument(server, { type: 'Folder' }),
      await createDocument(server, { type: 'Folder' }),
    ];
    const [few, many] = parents.map(({ path }) => path) as [string, string];
    await changed(1, few);
    for (let child = 0; child < 6; child += 1) await changed(2, many);
    const query = `query ($path: String!) {
      document(path: $path) { children { entries { uid audit(pageSize: 2) { resultsCount entries { eventId docUUID } } } } }
    }`;
    const costs: number[] = [];
    for (const path of [few, many]) {
      const response = await server.request.post('/graphql').send({ query, variables: { path } }).expect(200);
      costs.push(statements(response));
      for (const { uid, audit: page } of response.body.data.document.children.entries) {
        expect(page.entries).toEqual([
          { eventId: 'documentModified', docUUID: uid },
          { eventId: path === few ? 'documentCreated' : 'documentModified', docUUID: uid },
        ]);
        expect(page.resultsCount).toBe(path === few ? 2 : 3);
      }
    }
    expect(costs[1]).toBe(costs[0]);
  });
});

describe('All log entries', () => {
  const query = `query ($of: [ID!]) { logEntries(docUUID: $of) { resultsCount entries { eventId docUUID } } }`;

  test('are there for administrators, of documents that are gone too', async () => {
    const { uid } = await changed(1);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    await audit(server, { uid }).expect(404);
    const { logEntries } = await ask<{ logEntries: { entries: LogEntryEntity[] } }>(server.request, query, {
      of: [uid],
    });
    expect(logEntries.entries.map(({ eventId }) => eventId)).toEqual([
      'documentRemoved',
      'documentModified',
      'documentCreated',
    ]);
  });

  test('of what is no id are none', async () => {
    const { logEntries } = await ask<{ logEntries: object }>(server.request, query, { of: ['x'] });
    expect(logEntries).toEqual({ resultsCount: 0, entries: [] });
  });
});
