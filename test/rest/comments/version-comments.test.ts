import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, grant, only, setAcl, type TestAce } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { idOf, versionsOf } from '../versions/version-requests.ts';
import { atComments, comment } from './comment-requests.ts';

const server = useServer();
const { request } = server;
const run = calling(server);
const bob = useUser(server, 'bob');
checkConsistency(server);

const hidden = [deny('bob', 'ReadVersion'), grant('bob', 'Everything')];

/** A document in a folder, with a version and a comment and a reply on that. */
async function commented(aces: readonly TestAce[] = []) {
  const folder = await createDocument(server, { type: 'Folder' });
  await setAcl(server, folder.path, aces);
  const document = await createDocument(server, { parent: folder.path });
  await run('Document.CreateVersion', document.uid, { increment: 'Minor' }).expect(200);
  const version = idOf(await versionsOf(request, document.uid), 0);
  const onVersion = await comment(request, version, 'on the version');
  const reply = await comment(request, onVersion.id, 'a reply');
  return { folder, document, version, ids: [onVersion.id, reply.id] };
}

/** Those of the comments that bob finds by a search, by a page provider, by their ids and in the list of them. */
async function seen({ version, ids }: { version: string; ids: readonly string[] }) {
  const found = async (path: string, query: Record<string, string>) =>
    ((await bob.get(`/api/v1/search/${path}`).query(query)).body.entries ?? []) as DocumentEntity[];
  const query = `SELECT * FROM Comment WHERE ecm:ancestorId = '${version}'`;
  const provided = await found('pp/GET_COMMENTS_FOR_DOCUMENT/execute', { queryParams: version });
  const read = await Promise.all(ids.map((id) => bob.get(atId(id))));
  const listed = await bob.get(atComments(version));
  return {
    searched: (await found('execute', { query })).map(({ uid }) => uid).toSorted(),
    provided: provided.map(({ uid }) => uid),
    read: read.map(({ status }) => status),
    listed: [listed.status, listed.body.totalSize],
  };
}

const none = { searched: [], provided: [], read: [403, 403], listed: [403, undefined] };
const all = ({ ids }: { ids: readonly string[] }) => ({
  searched: [...ids].toSorted(),
  provided: ids.slice(0, 1),
  read: [200, 200],
  listed: [200, 1],
});

describe('§4.7 comments on a version', () => {
  test('are not found and read without ReadVersion, whenever it was denied', async () => {
    const before = await commented(hidden);
    expect(await seen(before)).toEqual(none);
    const after = await commented();
    await setAcl(server, after.document.path, only('bob', 'Read'));
    expect(await seen(after)).toEqual(all(after));
    await setAcl(server, after.document.path, hidden);
    expect(await seen(after)).toEqual(none);
    await setAcl(server, after.folder.path, [grant('bob', 'Read')]);
    await setAcl(server, after.document.path, []);
    expect(await seen(after)).toEqual(all(after));
    const onDocument = await comment(request, before.document.uid, 'on the document');
    await bob.get(atId(onDocument.id)).expect(200);
  });

  test.each(['ReadVersion', 'Version'])('are found and read with %s alone', async (permission) => {
    const place = await commented(only('bob', permission));
    await bob.get(atId(place.document.uid)).expect(403);
    expect(await seen(place)).toEqual(all(place));
    expect((await comment(bob, place.version, 'mine')).author).toBe('bob');
  });

  test.each<[string, isAllowed: boolean]>([
    ['ReadVersion', false],
    ['Version', false],
    ['Read', true],
  ])('with %s alone show their ACLs: %s', async (permission, isAllowed) => {
    const { version, ids } = await commented(only('bob', permission));
    const [id = ''] = ids;
    const { body: document } = await request.get(atId(id)).expect(200);
    await setAcl(server, document.path, [grant('Everyone', 'Browse')]);
    for (const each of [version, ...ids])
      expect((await bob.get(`${atId(each)}/@acl`)).status).toBe(isAllowed ? 200 : 403);
    const { body } = await bob.get(atId(id)).set('enrichers.document', 'acls').expect(200);
    const names = body.contextParameters.acls.map(({ name }: { name: string }) => name);
    expect(names).toEqual(isAllowed ? ['local', 'inherited'] : []);
    const query = `SELECT * FROM Comment WHERE ecm:ancestorId = '${version}' AND ecm:acl/*/principal = 'Everyone'`;
    const found = await bob.get('/api/v1/search/execute').query({ query }).expect(200);
    expect(found.body.entries).toHaveLength(isAllowed ? 1 : 0);
  });

  test('have the ACLs of the place that their document is moved to', async () => {
    const [from, to] = [await commented(), await commented(hidden)];
    await setAcl(server, from.folder.path, [grant('bob', 'Read')]);
    expect(await seen(from)).toEqual(all(from));
    await run('Document.Move', from.document.uid, { target: to.folder.uid }).expect(200);
    expect(await seen(from)).toEqual(none);
    await run('Document.Move', from.document.uid, { target: '/default-domain/workspaces' }).expect(200);
    await setAcl(server, '/default-domain/workspaces', [grant('bob', 'Read')]);
    expect(await seen(from)).toEqual(all(from));
  });
});
