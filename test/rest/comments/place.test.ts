import { afterEach, describe, expect, test } from '@jest/globals';
import { contradictions } from '../../store/consistency.ts';
import { atId, atPath, createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { comment, commentsOn, sendComment, textsOf } from './comment-requests.ts';

const server = useServer();
const { request } = server;
const run = calling(server);

afterEach(async () => {
  expect(await contradictions(server)).toEqual([]);
});

/** A document in a folder, with a comment and a reply. */
async function commented(type = 'File') {
  const folder = await createDocument(server, { type: 'Folder' });
  const document = await createDocument(server, { type, parent: folder.path });
  const made = await comment(request, document.uid, 'Marvellous');
  return { folder, document, made, reply: await comment(request, made.id, 'Thanks') };
}

const search = async (query: string): Promise<DocumentEntity[]> => {
  const { body } = await request.get('/api/v1/search/execute').query({ query, pageSize: 1000 }).expect(200);
  return body.entries;
};

describe('§4.7 comments are hidden', () => {
  test.each(['Document', 'Folder'])('from searches FROM %s', async (type) => {
    const { document } = await commented();
    const found = await search(`SELECT * FROM ${type} WHERE ecm:ancestorId = '${document.uid}'`);
    expect(found).toEqual([]);
    expect(await search("SELECT * FROM Document WHERE ecm:fulltext = 'marvellous'")).toEqual([]);
  });

  test('but found by their own types', async () => {
    const { document, made, reply } = await commented();
    const found = await search(`SELECT * FROM Comment WHERE comment:ancestorIds/* = '${document.uid}'`);
    expect(found.map(({ uid }) => uid).sort()).toEqual([made.id, reply.id].sort());
    const roots = await search(`SELECT * FROM CommentRoot WHERE ecm:parentId = '${document.uid}'`);
    expect(roots.map(({ path }) => path)).toEqual([`${document.path}/Comments`]);
  });

  test('from children and the tree of folders', async () => {
    const { document } = await commented('Folder');
    const { body } = await request.get(`${atId(document.uid)}/@children`).expect(200);
    expect(body.resultsCount).toBe(0);
    for (const provider of ['tree_children', 'CURRENT_DOC_CHILDREN', 'advanced_document_content']) {
      const address = `/api/v1/search/pp/${provider}/execute`;
      const page = await request
        .get(address)
        .query({ queryParams: document.uid, ecm_parentId: document.uid });
      expect(namesIn(page)).toEqual([]);
    }
    const checks = { 'enrichers.document': 'hasContent,hasFolderishChild' };
    const { body: checked } = await request.get(atId(document.uid)).set(checks);
    expect(checked.contextParameters).toEqual({ hasContent: false, hasFolderishChild: false });
  });
});

describe('§4.7 comments go with their document', () => {
  test('when it is moved, trashed and restored', async () => {
    const { document, made } = await commented();
    const target = await createDocument(server, { type: 'Folder' });
    await run('Document.Move', document.uid, { target: target.uid }).expect(200);
    const { body } = await request.get(atId(made.id)).expect(200);
    expect(body.path).toBe(`${target.path}/${document.name}/Comments/${body.name}`);
    for (const operation of ['Document.Trash', 'Document.Untrash']) {
      await run(operation, document.uid).expect(200);
      expect(textsOf(await commentsOn(request, document.uid))).toEqual(['Marvellous']);
    }
    await comment(request, made.id, 'later');
    expect(textsOf(await commentsOn(request, made.id))).toEqual(['later', 'Thanks']);
  });

  test('when it is deleted', async () => {
    const { document, folder, made, reply } = await commented();
    await request.delete(atId(folder.uid)).expect(204);
    for (const id of [document.uid, made.id, reply.id]) await request.get(atId(id)).expect(404);
  });

  test('but not into a copy of it or of its folder', async () => {
    const { folder, document } = await commented();
    await comment(request, folder.uid, 'on the folder');
    const file = await createDocument(server, { parent: folder.path });
    const { body: copy } = await run('Document.Copy', folder.uid, { target: '/default-domain/workspaces' });
    expect(await commentsOn(request, copy.uid)).toEqual([]);
    const { body } = await request.get(`${atId(copy.uid)}/@children`);
    expect(namesIn({ body }).sort()).toEqual([document.name, file.name].sort());
    expect(await search(`SELECT * FROM Comment, CommentRoot WHERE ecm:ancestorId = '${copy.uid}'`)).toEqual(
      [],
    );
    const { body: single } = await run('Document.Copy', document.uid, { target: folder.uid });
    expect(await commentsOn(request, single.uid)).toEqual([]);
  });

  test('nor into a version, which has comments of its own, and a proxy', async () => {
    const { document } = await commented();
    await run('Document.CreateVersion', document.uid, { increment: 'Minor' }).expect(200);
    const { body: version } = await run('Document.GetLastVersion', document.uid);
    expect(await commentsOn(request, version.uid)).toEqual([]);
    const made = await comment(request, version.uid, 'on the version');
    const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
    const { body: proxy } = await run('Document.PublishToSection', document.uid, { target: section.uid });
    const published = await comment(request, proxy.uid, 'on the proxy');
    expect(textsOf(await commentsOn(request, document.uid))).toEqual(['Marvellous']);
    expect(textsOf(await commentsOn(request, version.uid))).toEqual(['on the version']);
    expect(textsOf(await commentsOn(request, proxy.uid))).toEqual(['on the proxy']);
    const folder = await createDocument(server, { type: 'Folder' });
    const { body: moved } = await run('Document.Move', document.uid, { target: folder.uid }).expect(200);
    expect((await request.get(atId(made.id))).body.path).toMatch(`${moved.path}/Comments.${version.uid}/`);
    await request.get(atPath(`${moved.path}/Comments`)).expect(200);
    await request.delete(atId(document.uid)).expect(204);
    for (const { id } of [made, published]) await request.get(atId(id)).expect(404);
  });
});

test('§11 comments on a version go with it', async () => {
  const { uid } = await createDocument(server);
  for (const increment of ['Minor', 'Minor'])
    await run('Document.CreateVersion', uid, { increment }).expect(200);
  const { body: versions } = await run('Document.GetVersions', uid).expect(200);
  const [version, other] = versions.entries;
  const made = await comment(request, version.uid);
  const kept = await comment(request, other.uid);
  await run('Document.CheckOut', uid);
  await run('Document.Trash', uid).expect(200);
  await comment(request, made.id, 'in the trash');
  await run('Document.Untrash', uid).expect(200);
  await request.delete(atId(version.uid)).expect(204);
  await request.get(atId(made.id)).expect(404);
  expect(await commentsOn(request, other.uid)).toEqual([kept]);
});

test('§3 a document under legal hold takes comments, which change and go', async () => {
  const { document, made } = await commented();
  await run('Document.Hold', document.uid).expect(200);
  const another = await comment(request, document.uid, 'meanwhile');
  const at = `${atId(document.uid)}/@comment/${made.id}`;
  await request.put(at).send({ 'entity-type': 'comment', text: 'changed' }).expect(200);
  await request.delete(at).expect(204);
  expect(await commentsOn(request, document.uid)).toEqual([another]);
});

test('§4.7 comments have a place beside a document that has their name', async () => {
  const folder = await createDocument(server, { type: 'Folder' });
  const taken = await createDocument(server, { type: 'Folder', name: 'Comments', parent: folder.path });
  const { id } = await comment(request, folder.uid);
  const { body } = await request.get(atId(id));
  expect(body.path).toMatch(new RegExp(`^${folder.path}/Comments\\.\\d{13}/comment\\.\\d{13}$`));
  const { body: children } = await request.get(`${atId(folder.uid)}/@children`);
  expect(namesIn({ body: children })).toEqual([taken.name]);
});

test('§4.7 comments that come at once on a document without any all have a place', async () => {
  const { uid } = await createDocument(server);
  const sent = await Promise.all(Array.from({ length: 8 }, (_, at) => sendComment(request, uid, `${at}`)));
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 201));
  expect(await commentsOn(request, uid)).toHaveLength(8);
});
