import { describe, expect, test } from '@jest/globals';
import { breakBy } from '../../store/checks/check-support.ts';
import { atId, createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { collecting } from '../collections/collecting.ts';

const server = useServer();
const { run, collection, add, membersOf } = collecting(server);

/** A collection with two members, one of them in a folder and with a proxy that is a member, too. */
async function collected() {
  const [folder, into] = [await createDocument(server, { type: 'Folder' }), await collection()];
  const [member, other] = [
    await createDocument(server, { parent: folder.path }),
    await createDocument(server),
  ];
  const section = await createDocument(server, { type: 'Section' });
  const { body: proxy } = await run('Document.PublishToSection', member.uid, { target: section.uid });
  const members = [member.uid, other.uid, proxy.uid as string];
  await add(members, into).expect(200);
  return { folder, into, member, other, members };
}

type Collected = Awaited<ReturnType<typeof collected>>;

const refusal = ({ uid }: DocumentEntity) => ({
  'entity-type': 'exception',
  status: 403,
  message: `${uid} is under retention or legal hold`,
});

describe('§3 a collection under legal hold keeps its members', () => {
  const ways: Record<string, (found: Collected) => ReturnType<typeof server.request.get>> = {
    'a DELETE of a member': ({ member }) => server.request.delete(atId(member.uid)),
    'a DELETE of its folder': ({ folder }) => server.request.delete(atId(folder.uid)),
    'a deletion with the collection': ({ member, into }) => run('Document.Delete', [member.uid, into.uid]),
    'a deletion of a list': ({ member, other }) => run('Document.Delete', [other.uid, member.uid]),
    'the end of the membership': ({ member, into }) =>
      run('Collection.RemoveFromCollection', member.uid, { collection: into.uid }),
  };

  test.each(Object.entries(ways))('%s is refused as a whole', async (_, send) => {
    const found = await collected();
    await run('Document.Hold', found.into.uid).expect(200);
    const { status, body } = await send(found);
    expect([status, body]).toEqual([403, expect.objectContaining(refusal(found.into))]);
    expect(await membersOf(found.into)).toEqual(found.members);
    await run('Document.Unhold', found.into.uid).expect(200);
    expect((await send(found)).status).toBeLessThan(300);
  });

  test('and the trash that a member is in is not emptied', async () => {
    const { folder, into, member } = await collected();
    const beside = await createDocument(server, { parent: folder.path });
    await run('Document.Trash', [member.uid, beside.uid]).expect(200);
    await run('Document.Hold', into.uid).expect(200);
    expect((await run('Document.EmptyTrash', folder.uid)).body).toMatchObject(refusal(into));
    await readDocument(server.request, beside.uid);
    await run('Document.Unhold', into.uid).expect(200);
    await run('Document.EmptyTrash', folder.uid).expect(200);
    await server.request.get(atId(beside.uid)).expect(404);
  });

  test('and GraphQL does not delete one', async () => {
    const { into, member } = await collected();
    await run('Document.Hold', into.uid).expect(200);
    const query = 'mutation ($id: ID!) { deleteDocument(id: $id) }';
    await expect(askGraphql(server.request, query, { id: member.uid })).rejects.toThrow(
      refusal(into).message,
    );
  });

  test('and so does a version of it', async () => {
    const { into, member } = await collected();
    await run('Document.CreateVersion', into.uid, { increment: 'Minor' }).expect(200);
    await run('Document.CheckOut', into.uid).expect(200);
    await run('Collection.RemoveFromCollection', member.uid, { collection: into.uid }).expect(200);
    await run('Document.Hold', into.uid).expect(200);
    await server.request.delete(atId(member.uid)).expect(403);
  });
});

test('§3 a member is deleted once the retention of its collection is over', async () => {
  const { into, member, other } = await collected();
  await run('Document.SetRetention', into.uid, { until: '2999-01-01T00:00:00Z' }).expect(200);
  await server.request.delete(atId(other.uid)).expect(403);
  await breakBy(
    server,
    `UPDATE document SET retain_until = now() - interval '1 ms' WHERE id = '${into.uid}'`,
  );
  await server.request.delete(atId(member.uid)).expect(204);
});

test('§3 deleting many members, or a collection with them, takes as many statements as without', async () => {
  const [full, empty] = [
    await createDocument(server, { type: 'Folder' }),
    await createDocument(server, { type: 'Folder' }),
  ];
  const [into, low] = [await collection(), await createDocument(server, { parent: full.path })];
  const gone = await createDocument(server, { parent: full.path, type: 'Collection' });
  const others = await Promise.all([1, 2, 3].map(() => createDocument(server, { parent: full.path })));
  const members = [low, ...others].map(({ uid }) => uid);
  for (const each of [into, gone]) await add(members, each).expect(200);
  const plain = statements(await server.request.delete(atId(empty.uid)).expect(204));
  expect(statements(await server.request.delete(atId(full.uid)).expect(204))).toBe(plain);
  expect(await membersOf(into)).toEqual([]);
});
