import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, only, setAcl } from '../../support/acls.ts';
import { atId, createDocument, documentBody, updateDocument } from '../../support/documents.ts';
import { calling, type Requests } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { atComments, comment, commentBody, sendComment } from './comment-requests.ts';

const server = useServer();
const run = calling(server);
const bob = useUser(server, 'bob');
const eve = useUser(server, 'eve');

const refused = /^Privilege 'Read' is not granted to 'bob' on the document with the id [-0-9a-f]{36}\.$/;

/** A document on which bob has these permissions, with a comment of the administrator. */
async function documentFor(...permissions: string[]) {
  const document = await createDocument(server);
  await setAcl(server, document.path, [...only('bob', ...permissions)]);
  return { ...document, theirs: await comment(server.request, document.uid, 'theirs') };
}

const replies = (request: Requests, id: string) => sendComment(request, id, 'x');
const change = (request: Requests, uid: string, id: string) =>
  request.put(atComments(uid, `/${id}`)).send(commentBody('changed'));
const remove = (request: Requests, uid: string, id: string) => request.delete(atComments(uid, `/${id}`));

describe('§4.7 who may comment', () => {
  test('needs credentials', async () => {
    const { uid, theirs } = await documentFor('Read');
    for (const sent of [
      server.anonymous.get(atComments(uid)),
      server.anonymous.post(atComments(uid)).send(commentBody('x')),
      server.anonymous.put(atComments(uid, `/${theirs.id}`)).send(commentBody('x')),
      server.anonymous.delete(atComments(uid, `/${theirs.id}`)),
    ])
      await sent.expect(401);
  });

  test.each([['Browse', 'ReadProperties', 'WriteProperties', 'AddChildren', 'Comment']])(
    'may read: %s and more are not enough',
    async (...permissions) => {
      const { uid, theirs } = await documentFor(...permissions);
      for (const sent of [
        bob.get(atComments(uid)),
        bob.get(atComments(uid, `/${theirs.id}`)),
        replies(bob, uid),
        replies(bob, theirs.id),
        change(bob, uid, theirs.id),
        remove(bob, uid, theirs.id),
      ])
        expect((await sent.expect(403)).body.message).toMatch(refused);
      expect((await server.request.get(atComments(uid))).body.totalSize).toBe(1);
    },
  );

  test('needs no more than Read, also where another user has locked the document', async () => {
    const { uid, theirs } = await documentFor('Read');
    await run('Document.Lock', uid).expect(200);
    const mine = await comment(bob, uid, 'mine');
    expect(mine.author).toBe('bob');
    expect((await comment(bob, theirs.id, 'reply')).permissions).toEqual(['Everything']);
    await change(bob, uid, mine.id).expect(200);
    await remove(bob, uid, mine.id).expect(204);
  });

  test('sees what else they may do with a comment of others', async () => {
    const { uid, theirs } = await documentFor('Read');
    const { body } = await bob.get(atComments(uid, `/${theirs.id}`)).expect(200);
    expect(body.permissions).toEqual(expect.arrayContaining(['Read', 'Browse']));
    expect(body.permissions).not.toContain('Everything');
  });

  test('may comment on a version with ReadVersion', async () => {
    const { uid, path } = await createDocument(server);
    await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    const { body: version } = await run('Document.GetLastVersion', uid);
    await setAcl(server, path, only('bob', 'Read'));
    const made = await comment(bob, version.uid, 'on the version');
    expect(made.parentId).toBe(version.uid);
    expect((await bob.get(atComments(uid))).body.entries).toEqual([]);
    expect((await bob.get(atComments(version.uid))).body.entries).toEqual([made]);
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    await replies(bob, version.uid).expect(403);
  });
});

describe('§4.7 who may change and delete a comment', () => {
  test.each(['Read', 'ReadWrite', 'Moderate'])('is not one with %s on the document', async (permission) => {
    const { uid, theirs } = await documentFor('Read', permission);
    for (const sent of [change(bob, uid, theirs.id), remove(bob, uid, theirs.id)])
      expect((await sent.expect(403)).body.message).toBe(
        `The user bob cannot change the comment ${theirs.id}`,
      );
  });

  test('is one with Everything on the document, and an administrator', async () => {
    const { uid, path, theirs } = await documentFor('Everything');
    await setAcl(server, path, [grant('bob', 'Everything'), grant('eve', 'Read')]);
    const { body } = await change(bob, uid, theirs.id).expect(200);
    expect(body).toMatchObject({ author: 'Administrator', text: 'changed', permissions: ['Everything'] });
    const hers = await comment(eve, uid, 'hers');
    await change(server.request, uid, hers.id).expect(200);
    await remove(bob, uid, theirs.id).expect(204);
    await remove(server.request, uid, hers.id).expect(204);
  });

  test('is no longer the author without Read', async () => {
    const { uid, path } = await documentFor('Read');
    const mine = await comment(bob, uid, 'mine');
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    for (const sent of [change(bob, uid, mine.id), remove(bob, uid, mine.id)]) await sent.expect(403);
  });
});

describe('§4.7 around @comment', () => {
  let uid = '';
  let id = '';
  let root = '';
  beforeAll(async () => {
    const made = await documentFor('Everything');
    uid = made.uid;
    id = (await comment(bob, uid, 'mine')).id;
    root = (await server.request.get(atId(id))).body.parentRef;
  });

  test('its author changes no comment by way of its document', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await setAcl(server, folder.path, [grant('bob', 'Everything')]);
    for (const sent of [
      updateDocument(bob, id, { 'comment:author': 'eve' }),
      bob.delete(atId(id)),
      bob.delete(atId(root)),
      run('Document.Trash', id, {}, bob),
      run('Document.Move', id, { target: folder.uid }, bob),
      run('Document.Copy', id, { target: folder.uid }, bob),
      run('Document.AddPermission', id, { users: ['eve'], permission: 'Read' }, bob),
      run('Document.Lock', id, {}, bob),
    ])
      expect((await sent).body.message).toMatch(/ is a comment\. /);
  });

  test('nothing else is put among comments, and no document passes for one', async () => {
    for (const parent of [id, root])
      for (const [request, type, status] of [
        [bob, 'File', 403],
        [server.request, 'File', 400],
        [server.request, 'Comment', 400],
      ] as const)
        await request
          .post(atId(parent))
          .send(documentBody({ name: 'x', type }))
          .expect(status);
    const workspace = await createDocument(server, { type: 'Workspace' });
    await setAcl(server, workspace.path, [grant('bob', 'Everything')]);
    for (const type of ['Comment', 'Annotation'])
      await bob
        .post(atId(workspace.uid))
        .send(documentBody({ name: 'x', type }))
        .expect(403);
    const { body: forged } = await server.request
      .post(atId(uid))
      .send(documentBody({ name: 'x', type: 'Comment', properties: { 'comment:text': 'forged' } }))
      .expect(201);
    await server.request.get(atComments(uid, `/${forged.uid}`)).expect(404);
    expect((await server.request.get(atComments(uid))).body.totalSize).toBe(2);
  });
});
