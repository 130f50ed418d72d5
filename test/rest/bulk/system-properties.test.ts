import { expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { runBulkBelow } from '../../support/bulk.ts';
import { createDocument, readDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const action = 'setSystemProperties';
const at = `/api/v1/search/bulk/${action}`;
const query = 'SELECT * FROM File';

test.each(['isTrashed', 'ecm:isTrashed'])(
  '%s moves documents to the trash, and restores them',
  async (name) => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { uid } = await createDocument(server, { parent: folder.path, name: 'kept' });
    const set = (value: unknown) => runBulkBelow(server.request, action, folder, { [name]: value });
    expect(await set(true)).toMatchObject({ action, state: 'COMPLETED', processed: 1, errorCount: 0 });
    expect((await readDocument(server.request, uid)).isTrashed).toBe(true);
    expect(await set('false')).toMatchObject({ processed: 1, errorCount: 0 });
    expect(await readDocument(server.request, uid)).toMatchObject({
      isTrashed: false,
      path: `${folder.path}/kept`,
    });
  },
);

test.each([
  ['nothing', {}],
  ['another property', { fulltextBinary: 'x' }],
  ['no flag', { isTrashed: 'maybe' }],
])('%s is 400', async (_, body) => {
  const { body: error } = await server.request.post(at).query({ query }).send(body).expect(400);
  expect(error.message).toMatch(/^isTrashed \(true or false\) is the only system property that can be set/);
});

test('another property beside it is 400', async () => {
  const sent = server.request.post(at).query({ query });
  const { body } = await sent.send({ isTrashed: true, 'dc:title': 'x' }).expect(400);
  expect(body.message).toMatch(/dc:title/);
});

test('is 403 for others than administrators, whatever they may write', async () => {
  const folder = await createDocument(server, { type: 'Folder' });
  const { uid } = await createDocument(server, { parent: folder.path });
  await setAcl(server, folder.path, [grant('bob', 'Everything')]);
  const { body } = await bob.post(at).query({ query }).send({ isTrashed: true }).expect(403);
  expect(body.message).toBe('Only administrators can set system properties; bob is not one.');
  expect((await readDocument(server.request, uid)).isTrashed).toBe(false);
});
