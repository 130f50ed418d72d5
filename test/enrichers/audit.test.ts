import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../support/documents.ts';
import { statements, useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);

const repository = 'default';
const block = deny('Everyone', 'Everything');

/** The value of one enricher of a document. */
async function said({ uid }: DocumentEntity, enricher: string, agent = server.request) {
  const headers = { 'enrichers.document': enricher, depth: 'root' };
  const { body } = await agent.get(`/api/v1/id/${uid}`).set(headers).expect(200);
  return body.contextParameters[enricher];
}

describe('§4.9 the enricher audit', () => {
  test('lists the ten newest log entries, the newest first', async () => {
    const document = await createDocument(server);
    for (let index = 0; index < 11; index += 1)
      await updateDocument(server.request, document.uid, { 'dc:title': `Title ${index}` }).expect(200);
    const entries = await said(document, 'audit');
    expect(entries).toHaveLength(10);
    expect(entries[0]).toMatchObject({
      'entity-type': 'logEntry',
      eventId: 'documentModified',
      docUUID: document.uid,
      principalName: 'Administrator',
    });
    const ids = entries.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
  });

  describe('with the filters of @audit in the query', () => {
    const eventsIn = ({ contextParameters }: { contextParameters: { audit: Array<{ eventId: string }> } }) =>
      contextParameters.audit.map(({ eventId }) => eventId).join(' ');
    const ask = (path: string, query: object, depth = 'root') =>
      server.request.get(path).query(query).set({ 'enrichers.document': 'audit,children', depth });

    /** A folder and a file in it that were both locked on a day of 2020, by ann. */
    async function logged() {
      const folder = await createDocument(server, { type: 'Folder' });
      const file = await createDocument(server, { parent: folder.path });
      const day = { eventDate: new Date('2020-01-02T12:00:00Z'), repository, principalName: 'ann' };
      const data = [folder, file].map(({ uid }) => ({
        ...day,
        docUuid: uid,
        eventId: 'documentLocked',
        category: 'eventDocumentCategory',
      }));
      await server.database.prisma.logEntry.createMany({ data });
      return { folder, file };
    }

    test.each([
      [{}, 'documentCreated documentLocked'],
      [{ eventId: 'documentLocked' }, 'documentLocked'],
      [{ eventId: 'documentLocked,documentCreated' }, 'documentCreated documentLocked'],
      [{ eventId: 'nothing' }, ''],
      [{ category: 'Routing' }, ''],
      [{ principalName: 'ann' }, 'documentLocked'],
      [{ startEventDate: '2020-01-02', endEventDate: '2020-01-02' }, 'documentLocked'],
      [{ endEventDate: '2020-01-01' }, ''],
      [{ pageSize: 1, currentPageIndex: 1 }, 'documentCreated documentLocked'],
    ])('%j selects the entries of the document and of nested documents', async (query, events) => {
      const { folder } = await logged();
      const { body } = await ask(`/api/v1/id/${folder.uid}`, query, 'children').expect(200);
      expect(eventsIn(body)).toBe(events);
      expect(eventsIn(body.contextParameters.children.entries[0])).toBe(events);
    });

    test('applies to pages and to the answers of operations, at the same cost', async () => {
      const { folder, file } = await logged();
      const query = { eventId: 'documentLocked' };
      const page = await ask(`/api/v1/id/${folder.uid}/@children`, query).expect(200);
      expect(eventsIn(page.body.entries[0])).toBe('documentLocked');
      const all = await ask(`/api/v1/id/${folder.uid}/@children`, {}).expect(200);
      expect(statements(page)).toBe(statements(all));
      const { body } = await server.request
        .post(`/api/v1/id/${file.uid}/@op/Document.Lock`)
        .query(query)
        .set('enrichers.document', 'audit')
        .send({})
        .expect(200);
      expect(eventsIn(body)).toBe('documentLocked documentLocked');
    });

    test.each(['startEventDate', 'endEventDate'])('%s that is no date is 400', async (name) => {
      const { file } = await logged();
      const { body } = await ask(`/api/v1/id/${file.uid}`, { [name]: 'yesterday' }).expect(400);
      expect(body.message).toContain(name);
    });
  });

  test('is empty, like other enrichers, for a caller with WriteProperties but without Read', async () => {
    const document = await createDocument(server);
    await setAcl(server, document.path, [grant('ann', 'WriteProperties'), block]);
    const { body } = await updateDocument(ann, document.uid, { 'dc:title': 'unseen' })
      .set('enrichers.document', 'audit,acls,tags,children')
      .expect(200);
    expect(body.contextParameters).toEqual({
      audit: [],
      acls: [],
      tags: [],
      children: { 'entity-type': 'documents', entries: [] },
    });
  });
});
