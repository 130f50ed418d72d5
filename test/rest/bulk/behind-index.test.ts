/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { bulkEnded, bulkStatusOf } from '../../support/bulk.ts';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { withIndexHeld } from '../../support/held-index.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';

const createAndRun = {
  name: 'createAndRun',
  operations: [
    { id: 'Document.Create', params: { type: 'File', name: 'made' } },
    {
      id: 'Bulk.RunAction',
      params: { action: 'trash', query: "SELECT * FROM File WHERE ecm:name = 'made'" },
    },
  ],
};
const server = useServer({}, { chains: [createAndRun] });

const ask = async (action: string, { path }: DocumentEntity, body: object = {}): Promise<string> => {
  const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${path}'`;
  const answer = await server.request.post(`/api/v1/search/bulk/${action}`).query({ query }).send(body);
  expect([answer.status, answer.body.message]).toEqual([202, undefined]);
  return answer.body.commandId;
};

const stateOf = async (id: string) => (await bulkStatusOf(server.request, id)).state;
const send = (text: string) => server.database.query({ name: '', text }, []);

/** Waits until the index has been asked for twice in vain. */
const lookedTwice = (id: string) => {
  const began = performance.now();
  return until(async () => {
    expect(await stateOf(id)).toBe('SCHEDULED');
    return performance.now() - began > 3_000;
  });
};

/** A folder with two documents that are not indexed. */
async function folderOfTwo(): Promise<{ folder: DocumentEntity; files: DocumentEntity[] }> {
  const folder = await createDocument(server, { type: 'Folder' });
  const files = [folder, folder].map(({ path: parent }) => createDocument(server, { parent }));
  return { folder, files: await Promise.all(files) };
}

describe('§4.7 a bulk action while the search index is behind', () => {
  test.each([
    ['setProperties', { 'dc:title': 'changed' }],
    ['csvExport', {}],
    ['jsonlExport', {}],
  ])('%s waits until all is found that was written before', async (action, body) => {
    let id = '';
    let files: DocumentEntity[] = [];
    await withIndexHeld(server, async () => {
      const made = await folderOfTwo();
      files = made.files;
      id = await ask(action, made.folder, body);
      await lookedTwice(id);
    });
    expect(await bulkEnded(server.request, id)).toMatchObject({ state: 'COMPLETED', total: 2, processed: 2 });
    if (action === 'setProperties')
      for (const { uid } of files) expect((await readDocument(server.request, uid)).title).toBe('changed');
  });

  test('is asked for by the clock of the changes, and waits for those of its own transaction', async () => {
    await withIndexHeld(server, async () => {
      await call(server.request, 'createAndRun', { input: '/default-domain', params: {} }).expect(200);
      const equal = `SELECT c.submitted_at = s.changed_at AS "isEqual" FROM bulk_command c, search_change s
        WHERE c.action = 'trash' AND s.document_id = (SELECT id FROM document WHERE name = 'made') LIMIT 1`;
      expect(await send(equal)).toEqual([{ isEqual: true }]);
    });
  });

  test('does not wait for what was written later', async () => {
    const { folder } = await folderOfTwo();
    await until(async () => (await server.searchIndex.catchUp(server.database)).isCaughtUp);
    await withIndexHeld(server, async () => {
      const late = await createDocument(server, { parent: folder.path });
      const id = await ask('setProperties', folder, { 'dc:title': 'changed' });
      expect(await stateOf(id)).toBe('SCHEDULED');
      // Repeated, because on a busy machine the server may just be moving the change to the queue of slow documents.
      await until(async () => {
        await send(`UPDATE search_change SET changed_at = changed_at + interval '1 hour'
          WHERE changed_at < now() + interval '30 minutes'`);
        return (await stateOf(id)) !== 'SCHEDULED';
      });
      expect(await bulkEnded(server.request, id)).toMatchObject({ state: 'COMPLETED', total: 2 });
      expect((await readDocument(server.request, late.uid)).title).not.toBe('changed');
    });
  });

  test('is aborted when the index is behind for a day', async () => {
    await withIndexHeld(server, async () => {
      const { folder } = await folderOfTwo();
      const id = await ask('setProperties', folder, { 'dc:title': 'never' });
      await send(
        `UPDATE bulk_command SET submitted_at = submitted_at - interval '25 hours' WHERE id = '${id}'`,
      );
      await send(`UPDATE search_change SET changed_at = changed_at - interval '26 hours'`);
      expect(await bulkEnded(server.request, id)).toMatchObject({
        state: 'ABORTED',
        errorMessage: 'The search index was out of date for a day.',
      });
    });
  });

  test('ends with the credentials by which it was asked for, whatever the clocks say', async () => {
    const ann = as(server, await createUser(server, 'ann', ['administrators']));
    await withIndexHeld(server, async () => {
      const { folder } = await folderOfTwo();
      const query = `SELECT * FROM Document WHERE ecm:ancestorId = '${folder.uid}'`;
      const asked = await ann.post('/api/v1/search/bulk/trash').query({ query }).send({}).expect(202);
      const id = asked.body.commandId;
      const later = `submitted_at + interval '1 hour'`;
      await send(`UPDATE bulk_command SET submitted_at = ${later} WHERE id = '${id}'`);
      const body = { 'entity-type': 'user', id: 'ann', properties: { password: 'another secret' } };
      await server.request.put('/api/v1/user/ann').send(body).expect(200);
      const errorMessage = "The user's credentials were revoked after the command was submitted.";
      expect(await bulkEnded(server.request, id)).toMatchObject({ state: 'ABORTED', errorMessage });
    });
  });

  test('ends when it is aborted meanwhile', async () => {
    await withIndexHeld(server, async () => {
      const { folder } = await folderOfTwo();
      const id = await ask('setProperties', folder, { 'dc:title': 'never' });
      await server.request.put(`/api/v1/bulk/${id}/abort`).expect(200);
      expect(await stateOf(id)).toBe('ABORTED');
    });
  });
});
