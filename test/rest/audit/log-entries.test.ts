/** @group every-database */

import { describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { audit, eventsOf, type LogEntryEntity } from './audit-requests.ts';

const server = useServer();

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Creates a document and changes it `times` times. */
async function changed(times: number, parent?: string): Promise<DocumentEntity> {
  const document = await createDocument(server, parent === undefined ? {} : { parent });
  for (let time = 1; time <= times; time += 1) {
    const properties = { 'dc:title': `${time}` };
    await updateDocument(server.request, document.uid, properties, {
      'Update-Comment': `the change ${time}`,
    }).expect(200);
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
      extended: { changes: [{ property: 'dc:title', before: null, after: '1' }] },
    });
    expect(body.entries[1]).toMatchObject({ eventId: 'documentCreated', comment: null });
    expect(body.entries[0].id).toBeGreaterThan(body.entries[1].id);
  });

  test('contains an eventDate and a logDate that is not earlier', async () => {
    const { body } = await audit(server, await changed(30)).expect(200);
    expect(body.entries).toHaveLength(31);
    for (const { eventDate, logDate } of body.entries)
      expect(Date.parse(logDate)).toBeGreaterThanOrEqual(Date.parse(eventDate));
  });

  test('answers a page of §2 with exactly these fields and its entity type', async () => {
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

  test('is available by path and for the root, with 50 entries per page by default', async () => {
    const { path, uid } = await changed(0);
    const { body } = await server.request.get(`/api/v1/path${path}/@audit`).expect(200);
    expect(body).toMatchObject({ pageSize: 50, entries: [{ docUUID: uid, eventId: 'documentCreated' }] });
    await server.request.get('/api/v1/path/@audit').expect(200);
  });

  test('needs Read only', async () => {
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

  test('contains no entries of another document that had the same path', async () => {
    const first = await createDocument(server, { name: 'again' });
    await server.request.delete(`/api/v1/id/${first.uid}`).expect(204);
    const second = await createDocument(server, { name: 'again' });
    expect(second.path).toBe(first.path);
    expect(await eventsOf(server, second)).toEqual(['documentCreated']);
  });
});

describe('the SQL cost of log entries', () => {
  test('is one statement in addition to that of the document for any number of entries', async () => {
    const [few, many] = [await changed(0), await changed(12)];
    const [one, twelve] = [await audit(server, few).expect(200), await audit(server, many).expect(200)];
    expect(twelve.body.entries).toHaveLength(13);
    expect(statements(one)).toBe(2);
    expect(statements(twelve)).toBe(2);
  });

  test('is the same for the entries of many children as of one', async () => {
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

describe('logEntries in GraphQL', () => {
  const query = `query ($of: [ID!]) { logEntries(docUUID: $of) { resultsCount entries { eventId docUUID } } }`;

  test('contains entries of deleted documents', async () => {
    const { uid } = await changed(1);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    await audit(server, { uid }).expect(404);
    const { logEntries } = await askGraphql<{ logEntries: { entries: LogEntryEntity[] } }>(
      server.request,
      query,
      {
        of: [uid],
      },
    );
    expect(logEntries.entries.map(({ eventId }) => eventId)).toEqual([
      'documentRemoved',
      'documentModified',
      'documentCreated',
    ]);
  });

  test('is empty for an invalid document id', async () => {
    const { logEntries } = await askGraphql<{ logEntries: object }>(server.request, query, { of: ['x'] });
    expect(logEntries).toEqual({ resultsCount: 0, entries: [] });
  });
});
