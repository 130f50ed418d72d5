import { describe, expect, test } from '@jest/globals';
import { type LogEntryEntity, latestId, loggedAfter } from '../../rest/audit/audit-requests.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const run = (id: string, given: Parameters<typeof call>[2]) => call(server.request, id, given);

describe('Audit.Query', () => {
  const query = (params: Record<string, unknown>) => run('Audit.Query', { params });
  const events = ({ body }: { body: { entries: LogEntryEntity[] } }) =>
    body.entries.map(({ eventId }) => eventId);

  test('answers with a page of log entries, also of deleted documents', async () => {
    const { uid } = await createDocument(server);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    const response = await query({ docUUID: uid }).expect(200);
    expect(response.headers['content-type']).toContain('nuxeo-entity=logEntries');
    expect(response.body).toMatchObject({ 'entity-type': 'logEntries', resultsCount: 2, pageSize: 50 });
    expect(events(response)).toEqual(['documentRemoved', 'documentCreated']);
    expect(response.body.entries[0]).toMatchObject({ 'entity-type': 'logEntry', docUUID: uid });
  });

  test('applies every filter and accepts pages and orders', async () => {
    const { uid } = await createDocument(server);
    const docUUID = [uid];
    const today = new Date().toISOString().slice(0, 10);
    const all = ['documentCreated'];
    const wishes: Array<[Record<string, unknown>, string[]]> = [
      [{ eventId: 'documentCreated,other' }, all],
      [{ eventId: ['other'] }, []],
      [{ eventId: '', category: '', sortBy: '' }, all],
      [{ eventId: [] }, []],
      [{ category: 'eventDocumentCategory', principalName: 'Administrator' }, all],
      [{ principalName: 'bob' }, []],
      [{ startEventDate: today, endEventDate: today }, all],
      [{ endEventDate: '2020-01-01' }, []],
      [{ pageSize: 1, currentPageIndex: 1 }, []],
      [{ maxResults: 1, sortBy: 'id', sortOrder: 'asc' }, all],
    ];
    for (const [params, expected] of wishes) {
      const response = await query({ docUUID, ...params }).expect(200);
      expect([params, events(response)]).toEqual([params, expected]);
    }
  });

  test('accepts the number of the page, from 1', async () => {
    const { uid } = await createDocument(server);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    const page = async (params: object) =>
      events(await query({ docUUID: uid, maxResults: 1, ...params }).expect(200));
    for (const [pageNo, expected] of [
      [1, ['documentRemoved']],
      ['2', ['documentCreated']],
      [3, []],
      ['', ['documentRemoved']],
    ] as const)
      expect([pageNo, await page({ pageNo })]).toEqual([pageNo, expected]);
    expect(await page({ pageNo: 2, currentPageIndex: 0 })).toEqual(['documentCreated']);
    const byQuery = `from LogEntry log where log.docUUID = '${uid}' order by log.id asc`;
    expect(await page({ docUUID: null, query: byQuery, pageNo: 2 })).toEqual(['documentRemoved']);
    const { body } = await query({ pageNo: 0 }).expect(400);
    expect(body.message).toBe('pageNo must be at least 1; got 0.');
  });

  test.each<[string, string[]]>([
    ['from LogEntry log where log.docUUID = $', ['documentRemoved', 'documentCreated']],
    [
      'SELECT log FROM LogEntry AS log WHERE log.docUUID IN ($) ORDER BY log.id ASC',
      ['documentCreated', 'documentRemoved'],
    ],
    ["from LogEntry where docUUID = $ and eventId in ('documentCreated', 'other')", ['documentCreated']],
    [
      "from LogEntry log where log.docUUID = $ and log.eventDate >= '2020-01-01' and log.eventDate < TIMESTAMP '2020-01-02T00:00:00Z'",
      [],
    ],
    [
      "from LogEntry log where log.docUUID = $ and log.eventDate between '2020-01-01' and '2100-01-01' order by log.eventDate desc",
      ['documentRemoved', 'documentCreated'],
    ],
    [
      "from LogEntry log where log.docUUID = $ and log.eventDate >= '2020-01-01T10:00:00' and log.eventDate < '2100-01-01 10:00'",
      ['documentRemoved', 'documentCreated'],
    ],
    ["from LogEntry log where log.docUUID = $ and log.principalName = 'bob' and log.category = 'x'", []],
    [
      "from LogEntry log where log.docUUID = $ and (log.eventId = 'documentCreated' or log.eventId IN ('other', 'another'))",
      ['documentCreated'],
    ],
    ["from LogEntry log where log.docUUID = $ and log.eventId like '%Removed'", ['documentRemoved']],
    [
      "from LogEntry log where log.docUUID = $ and log.docPath like '/default-domain/work%' and log.comment like 'x%'",
      [],
    ],
    ["from LogEntry log where log.docUUID = $ and (log.eventId = 'other' or log.category = 'x')", []],
    [
      "from LogEntry log where log.docUUID = $ and (log.eventId = 'other' or log.eventId like '%Rem%')",
      ['documentRemoved'],
    ],
    [
      "from LogEntry log where log.docUUID = $ and (log.docType = 'x' or (log.principalName = 'Administrator' and not log.eventId ilike '%CREATED'))",
      ['documentRemoved'],
    ],
    ["from LogEntry log where log.docUUID = $ and log.eventId <> 'documentCreated'", ['documentRemoved']],
    [
      "from LogEntry log where log.docUUID = $ and log.eventId not in ('documentRemoved')",
      ['documentCreated'],
    ],
    [
      "from LogEntry log where log.docUUID = $ and log.comment <> 'x'",
      ['documentRemoved', 'documentCreated'],
    ],
    ['from LogEntry log where log.docUUID = $ and log.comment is not null', []],
    [
      "from LogEntry log where log.docUUID = $ and log.repositoryId = 'default' and log.docLifeCycle >= 'project'",
      ['documentRemoved', 'documentCreated'],
    ],
    [
      "from LogEntry log where log.docUUID = $ and log.eventDate > NOW('-P1D') order by log.docType, log.id",
      ['documentCreated', 'documentRemoved'],
    ],
    ["from LogEntry log where log.docUUID = $ and date(log.logDate) = '2020-01-01'", []],
    [
      "from LogEntry log where log.docUUID = $ and log.docUUID <> 'no id'",
      ['documentRemoved', 'documentCreated'],
    ],
  ])('applies the query %s', async (text, expected) => {
    const { uid } = await createDocument(server);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    const response = await query({ query: text.replace('$', `'${uid}'`) }).expect(200);
    expect(events(response)).toEqual(expected);
  });

  test.each(['log.id', 'log.eventId'])('lists what came after an entry by %s', async (field) => {
    const { uid } = await createDocument(server);
    const asking = (condition: string) =>
      query({ query: `from LogEntry log where log.docUUID = '${uid}' and ${condition} order by log.id` });
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    const [{ id: first }, { id: last }] = (await asking(`${field} >= 0`).expect(200)).body.entries;
    const found: Array<readonly [string, string[]]> = [
      [`${field} >= ${last}`, ['documentRemoved']],
      [`${field} > ${first}`, ['documentRemoved']],
      [`${field} > ${last}`, []],
      [`${field} <= ${first}`, ['documentCreated']],
      [`${field} < ${first}`, []],
      [`${field} = ${first}`, ['documentCreated']],
      [`${field} between ${first} and ${last}`, ['documentCreated', 'documentRemoved']],
      [`${field} > ${Number.MAX_SAFE_INTEGER}`, []],
    ];
    for (const [condition, expected] of found)
      expect([condition, events(await asking(condition).expect(200))]).toEqual([condition, expected]);
  });

  test('costs one statement', async () => {
    expect(statements(await query({}).expect(200))).toBe(1);
    const either = "from LogEntry where eventId = 'a' or comment like 'b%'";
    expect(statements(await query({ query: either }).expect(200))).toBe(1);
  });

  test('reads all entries of a query by cursors', async () => {
    const { uid } = await createDocument(server);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    const text = `from LogEntry where docUUID = '${uid}' and (eventId like '%Created' or category = 'eventDocumentCategory')`;
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const response: Awaited<ReturnType<typeof query>> = await query({
        query: text,
        pageSize: 1,
        cursor,
      }).expect(200);
      found.push(...events(response));
      cursor = response.body.nextCursor ?? null;
      expect(found.length).toBeLessThan(4);
    }
    expect(found).toEqual(['documentRemoved', 'documentCreated']);
  });

  test('needs an administrator', async () => {
    const { body } = await call(bob, 'Audit.Query', {}).expect(403);
    expect(body.message).toBe('Only administrators can call Audit.Query; bob is not one.');
    await bob.get('/api/v1/automation/Audit.Query').expect(403);
    await server.request.get('/api/v1/automation/Audit.Query').expect(200);
    const listed = async (request: TestServer['request']) =>
      (await request.get('/api/v1/automation').expect(200)).body.operations.map(
        ({ id }: { id: string }) => id,
      );
    const [all, his] = [await listed(server.request), await listed(bob)];
    expect(all).toEqual(expect.arrayContaining(['Audit.Query', 'Audit.QueryWithPageProvider']));
    expect(his.filter((id: string) => id.startsWith('Audit.'))).toEqual(['Audit.LogEvent']);
    expect(all.filter((id: string) => his.includes(id))).toEqual(his);
  });

  test.each([
    [{ startEventDate: 'soon' }, /startEventDate/],
    [{ sortBy: 'nothing' }, /sortBy/],
    [{ pageSize: -2 }, /pageSize/],
    [{ query: 'from Document' }, /^query: at 6: expected LogEntry$/],
    [{ query: 'delete from LogEntry' }, /^query: at 1: expected FROM, found "delete"$/],
    [
      { query: "from LogEntry log where log.eventid = 'x'" },
      /^query: at 25: "eventid" is not a field of log entries; expected eventId$/,
    ],
    [
      { query: "from LogEntry where not (id = 1 or extended like 'b%')" },
      /^query: at 36: "extended" is not a field of log entries/,
    ],
    [{ query: "from LogEntry where id > 'a'" }, /^query: at 21: id can only be compared with an integer$/],
    [{ query: 'from LogEntry where id > 1.5' }, /^query: at 21: id can only be compared with an integer$/],
    [
      { query: "from LogEntry where id like '1%'" },
      /^query: at 21: LIKE requires a string, but id is not one$/,
    ],
    [
      { query: "from LogEntry where docUUID > 'a'" },
      /^query: at 21: docUUID has no order, so it can only be compared with = and <>$/,
    ],
    [{ query: "from LogEntry where date(eventId) = '2026-01-31'" }, /^query: at 21: eventId is not a date$/],
    [{ query: "from LogEntry where docPath startswith '/a'" }, /^query: at 21: expected =, <>/],
    [
      { query: `from LogEntry where ${Array.from({ length: 501 }, (_, id) => `id = ${id}`).join(' or ')}` },
      /^query: .*too many conditions: the maximum is 500/,
    ],
    [
      { query: `from LogEntry where ${'('.repeat(51)}id = 1${')'.repeat(51)}` },
      /conditions can be nested at most 50 levels deep/,
    ],
    [{ query: "from LogEntry where comment = 'a\0'" }, /NUL/],
    [{ query: 'from LogEntry where eventId = :x' }, /no value for :x/],
    [{ query: "from LogEntry where eventDate > 'soon'" }, /^query: at 21: "soon" is not a W3C date-time/],
    [
      { query: 'from LogEntry where eventDate > 1' },
      /^query: at 21: eventDate can only be compared with a date/,
    ],
    [{ query: "from LogEntry where eventDate > '+275760-09-13T00:00:00.000Z'" }, /^query: .* date-time/],
    [{ query: 'from LogEntry order by odd' }, /^sortBy/],
    [{ query: 'from LogEntry; drop table log_entry' }, /^query: at 14: /],
  ])('refuses %j', async (params, message) => {
    const { body } = await query(params).expect(400);
    expect(body.message).toMatch(message);
  });
});

describe('Audit.QueryWithPageProvider', () => {
  const ask = (params: Record<string, unknown>) => run('Audit.QueryWithPageProvider', { params });
  const events = async (params: Record<string, unknown>) =>
    (await ask(params).expect(200)).body.entries.map(({ eventId }: LogEntryEntity) => eventId);

  test('answers with the history of a deleted document', async () => {
    const { uid } = await createDocument(server);
    await createDocument(server);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    const history = { providerName: 'DOCUMENT_HISTORY_PROVIDER', queryParams: uid };
    const { body } = await ask(history).expect(200);
    expect(body).toEqual((await run('Audit.Query', { params: { docUUID: uid } })).body);
    expect(await events(history)).toEqual(['documentRemoved', 'documentCreated']);
    expect(await events({ ...history, pageSize: '1', currentPageIndex: '1' })).toEqual(['documentCreated']);
    expect(await events({ ...history, sortBy: 'id', sortOrder: 'asc' })).toEqual([
      'documentCreated',
      'documentRemoved',
    ]);
    expect(await events({ ...history, queryParams: ['no-uuid'] })).toEqual([]);
  });

  test('filters by each named parameter, under every name of the parameter list', async () => {
    const { uid } = await createDocument(server);
    await call(server.request, 'Document.Trash', { input: uid });
    const today = new Date().toISOString().slice(0, 10);
    const wishes: Array<[Record<string, unknown> | string, string[]]> = [
      [{ eventIds: ['documentCreated'] }, ['documentCreated']],
      [{ 'bas:eventIds': '["documentTrashed", "other"]' }, ['documentTrashed']],
      ['eventIds=documentTrashed,documentCreated\nbas:startDate=', ['documentTrashed', 'documentCreated']],
      [{ eventCategories: 'Routing' }, []],
      [{ principalNames: 'bob' }, []],
      [{ principalName: 'bob' }, []],
      [{ eventCategory: 'Routing' }, []],
      [{ eventIds: [], eventCategories: '[]', principalName: '' }, ['documentTrashed', 'documentCreated']],
      [
        { principalNames: 'Administrator', startDate: today, endDate: today },
        ['documentTrashed', 'documentCreated'],
      ],
      [{ endDate: '2020-01-01' }, []],
      [{ who: 'ignored' }, ['documentTrashed', 'documentCreated']],
    ];
    const history = { providerName: 'DOCUMENT_HISTORY_PROVIDER', queryParams: [uid] };
    for (const name of ['namedParameters', 'namedQueryParams', 'namedQueryParameters'])
      for (const [named, expected] of wishes)
        expect([named, await events({ ...history, [name]: named })]).toEqual([named, expected]);
  });

  test.each(['EVENTS_VIEW', 'AUDIT_BROWSER'])(
    'answers with all entries for %s, with one statement',
    async (providerName) => {
      // The journal writes log-ins while the request runs: the count lies between that before and that after.
      const count = () => server.database.prisma.logEntry.count();
      const before = await count();
      const all = await ask({ providerName, pageSize: 1 }).expect(200);
      expect(all.body.resultsCount).toBeGreaterThanOrEqual(before);
      expect(all.body.resultsCount).toBeLessThanOrEqual(await count());
      expect(statements(all)).toBe(1);
      expect(await events({ providerName, namedParameters: { eventIds: 'nosuch' } })).toEqual([]);
    },
  );

  test('needs an administrator', async () => {
    const params = { providerName: 'EVENTS_VIEW' };
    await call(bob, 'Audit.QueryWithPageProvider', { params }).expect(403);
    await call(bob, 'Audit.PageProvider', { params }).expect(403);
    await call(server.request, 'Audit.PageProvider', { params }).expect(200);
  });

  test.each<[Record<string, unknown>, number, RegExp]>([
    [{}, 400, /^providerName is missing$/],
    [{ providerName: 'nosuch' }, 404, /^Page provider: nosuch does not exist\./],
    [{ providerName: 'constructor' }, 404, /^Page provider: constructor does not exist\./],
    [
      { providerName: 'DOCUMENT_HISTORY_PROVIDER' },
      400,
      /^queryParams: .* requires values for documentId; got 0\.$/,
    ],
    [{ providerName: 'user_tasks' }, 404, /^Page provider: user_tasks does not exist\./],
    [
      { providerName: 'EVENTS_VIEW', namedParameters: { eventIds: '[' } },
      400,
      /^eventIds: "\[" is not valid JSON$/,
    ],
    [{ providerName: 'EVENTS_VIEW', namedParameters: { eventIds: {} } }, 400, /^eventIds: /],
    [{ providerName: 'EVENTS_VIEW', namedParameters: { startDate: 'soon' } }, 400, /startEventDate/],
    [{ providerName: 'EVENTS_VIEW', namedParameters: { endDate: 1 } }, 400, /^endEventDate: /],
    [{ providerName: 'EVENTS_VIEW', pageSize: -2 }, 400, /pageSize/],
    [{ providerName: 'EVENTS_VIEW', sortBy: 'nothing' }, 400, /sortBy/],
  ])('refuses %j', async (params, status, message) => {
    const { body } = await ask(params).expect(status);
    expect(body.message).toMatch(message);
  });
});

describe('Audit.LogEvent', () => {
  const log = (request: TestServer['request'], input: unknown, params: Record<string, unknown>) =>
    call(request, 'Audit.LogEvent', { input, params });

  test('answers with the document and logs an event of the caller', async () => {
    const { uid, path } = await createDocument(server);
    const before = await latestId(server);
    const { body } = await log(server.request, uid, { event: 'printed', comment: 'twice' }).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'document', uid });
    expect((await loggedAfter(server, before)).filter(({ docUUID }) => docUUID === uid)).toEqual([
      expect.objectContaining({
        eventId: 'printed',
        category: 'Automation',
        comment: 'twice',
        docPath: path,
        principalName: 'Administrator',
        extended: { operation: 'Audit.LogEvent' },
      }),
    ]);
  });

  test('logs an event for each document of a list, with a constant number of statements', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => createDocument(server)));
    const uids = made.map(({ uid }) => uid);
    const ask = (input: string[]) =>
      log(server.request, input, { event: 'seen', category: 'Mine' }).expect(200);
    const [two, five] = [await ask(uids.slice(0, 2)), await ask(uids)];
    expect(five.body.entries.map(({ uid }: { uid: string }) => uid)).toEqual(uids);
    expect(statements(five)).toBe(statements(two));
    expect(await server.database.prisma.logEntry.count({ where: { category: 'Mine' } })).toBe(7);
  });

  test('refuses a list with an unknown document as a whole', async () => {
    const { uid } = await createDocument(server);
    await log(server.request, [uid, '/nowhere'], { event: 'half' }).expect(404);
    expect(await server.database.prisma.logEntry.count({ where: { eventId: 'half' } })).toBe(0);
  });
});

describe('Counters.GET', () => {
  const count = (counterNames: unknown) => run('Counters.GET', { params: { counterNames } });

  test('answers with the number of log entries of each event', async () => {
    const before = (await count('documentCreated,nosuch').expect(200)).body;
    expect(before).toEqual({ documentCreated: { value: expect.any(Number) }, nosuch: { value: 0 } });
    await createDocument(server);
    const { body } = await count(['documentCreated']).expect(200);
    expect(body.documentCreated.value).toBe(before.documentCreated.value + 1);
  });

  test('needs an administrator', async () => {
    await call(bob, 'Counters.GET', { params: { counterNames: 'documentCreated' } }).expect(403);
  });

  test('refuses no names, and too many', async () => {
    await run('Counters.GET', {}).expect(400);
    const { body } = await count(Array.from({ length: 101 }, (_, index) => `e${index}`)).expect(400);
    expect(body.message).toBe('counterNames must contain at most 100 names; got 101.');
  });
});
