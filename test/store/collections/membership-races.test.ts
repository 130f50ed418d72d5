/** @group slow */

import { describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { withoutDeadlocks } from '../row-locks/without-deadlocks.ts';

const server = useServer({ DATABASE_CONNECTIONS: '25' });
withoutDeadlocks(server);
const run = calling(server);
const make = (type: string, parent?: Pick<DocumentEntity, 'path'>) =>
  createDocument(server, { type, ...(parent && { parent: parent.path }) });
const several = (count: number, type: string, parent?: DocumentEntity) =>
  Promise.all(Array.from({ length: count }, () => make(type, parent)));
const uids = (documents: readonly DocumentEntity[]): string[] => documents.map(({ uid }) => uid);

const statuses = (answers: ReadonlyArray<{ status: number }>): number[] =>
  [...new Set(answers.map(({ status }) => status))].toSorted();

/** What is deleted meanwhile is 404 for the others; the rest succeeds. */
function expectSuccesses(answers: ReadonlyArray<{ status: number }>): void {
  expect([200, 204, 404]).toEqual(expect.arrayContaining(statuses(answers)));
  expect(statuses(answers)).not.toEqual([404]);
}

const add = (members: readonly string[], collection: string) =>
  run('Document.AddToCollection', members, { collection });
const take = (members: readonly string[], collection: string) =>
  run('Collection.RemoveFromCollection', members, { collection });

/** The id of a new version of a document. */
async function versionOf(uid: string): Promise<string> {
  await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
  return (await run('Document.GetLastVersion', uid).expect(200)).body.uid;
}

describe('§4.7 changes of memberships during work on collections and members are free of deadlocks', () => {
  test('deep members are deleted while their collections gain and lose members', async () => {
    const collections = await several(4, 'Collection');
    const folder = await make('Folder', await make('Folder', await make('Folder')));
    const members = await several(24, 'File', folder);
    for (const { uid } of collections) await add(uids(members), uid).expect(200);
    const answers = await Promise.all([
      ...members.slice(0, 12).map(({ uid }) => run('Document.Delete', uid)),
      ...collections.flatMap(({ uid }, index) => [
        take(uids(members.slice(6, 18)), uid),
        add(uids(members.slice(index, 24)).toReversed(), uid),
      ]),
    ]);
    expectSuccesses(answers);
  });

  test('deep collections are deleted while their members are changed and ordered', async () => {
    const ordered = await make('OrderedFolder');
    const members = await several(10, 'File', ordered);
    const folder = await make('Folder', await make('Folder'));
    const collections = await several(10, 'Collection', folder);
    for (const { uid } of collections) await add(uids(members), uid).expect(200);
    const answers = await Promise.all([
      ...collections.map(({ uid }) => run('Document.Delete', uid)),
      ...members.map(({ uid }) => run('Document.Order', uid)),
      ...members.map(({ uid }, index) =>
        run('Document.Order', uid, { before: members[(index + 3) % 10]?.uid }),
      ),
      run('Document.SetProperty', uids(members).toReversed(), { xpath: 'dc:title', value: 'x' }),
    ]);
    expect(statuses(answers)).toEqual([200, 204]);
  });

  test('members next to their collections in an ordered folder are ordered, moved and deleted', async () => {
    const ordered = await make('OrderedFolder');
    const [collections, members] = [
      await several(6, 'Collection', ordered),
      await several(12, 'File', ordered),
    ];
    const target = await make('OrderedFolder');
    for (const { uid } of collections) await add(uids(members), uid).expect(200);
    const answers = await Promise.all([
      ...members.slice(0, 4).map(({ uid }) => run('Document.Delete', uid)),
      ...collections.slice(0, 2).map(({ uid }) => run('Document.Delete', uid)),
      ...[...members, ...collections].map(({ uid }) => run('Document.Order', uid)),
      ...members.slice(4, 8).map(({ uid }) => run('Document.Move', uid, { target: target.uid })),
      ...collections.slice(1).map(({ uid }) => take(uids(members).toReversed(), uid)),
      ...collections.slice(1).map(({ uid }) => add(uids(members.slice(6)), uid)),
    ]);
    expectSuccesses(answers);
  });

  test('two trees with members of each other’s collections are deleted', async () => {
    const [one, two] = [await make('Folder'), await make('Folder', await make('Folder'))];
    const [inOne, inTwo] = [
      [...(await several(6, 'Collection', one)), ...(await several(6, 'File', one))],
      [...(await several(6, 'Collection', two)), ...(await several(6, 'File', two))],
    ];
    for (const { uid } of inOne.slice(0, 6)) await add(uids(inTwo.slice(6)), uid).expect(200);
    for (const { uid } of inTwo.slice(0, 6)) await add(uids(inOne.slice(6)), uid).expect(200);
    const answers = await Promise.all([
      ...[one, two].map(({ uid }) => run('Document.Delete', uid)),
      run('Document.SetProperty', uids([...inTwo, ...inOne]), { xpath: 'dc:title', value: 'x' }),
    ]);
    expectSuccesses(answers);
  });

  test('lists of members are deleted while their collections gain and lose members', async () => {
    const deep = await make('Folder', await make('Folder'));
    const members = [...(await several(8, 'File')), ...(await several(8, 'File', deep))];
    const collections = [...(await several(3, 'Collection')), ...(await several(3, 'Collection', deep))];
    const ids = uids(members);
    for (const { uid } of collections) await add(ids, uid).expect(200);
    const answers = await Promise.all([
      run('Document.Delete', ids.slice(0, 3)),
      run('Document.Delete', ids.slice(8, 12).toReversed()),
      ...collections.flatMap(({ uid }, index) => [
        take(ids.slice(2, 10), uid),
        add(ids.slice(index).toReversed(), uid),
        run('Document.SetProperty', [uid, ...ids.slice(12)], { xpath: 'dc:title', value: 'x' }),
      ]),
      run('Document.Delete', [...uids(collections.slice(4)), ...ids.slice(5, 7)]),
    ]);
    expectSuccesses(answers);
  });

  test('a trash with members is emptied while their collections gain and lose members', async () => {
    const folder = await make('Folder', await make('Folder'));
    const [members, above] = [await several(12, 'File', folder), await several(3, 'Collection')];
    const collections = [...above, ...(await several(3, 'Collection', await make('Folder', folder)))];
    const ids = uids(members);
    for (const { uid } of collections) await add([...ids, folder.uid], uid).expect(200);
    await run('Document.Trash', ids.slice(0, 8)).expect(200);
    const answers = await Promise.all([
      run('Document.EmptyTrash', folder.uid),
      ...collections.flatMap(({ uid }, index) => [
        take(ids.slice(2, 10), uid),
        add([folder.uid, ...ids.slice(index).toReversed()], uid),
      ]),
      run('Document.EmptyTrash', folder.uid),
      run('Document.Trash', ids.slice(8)),
      run('Document.Delete', collections[4]?.uid),
    ]);
    expectSuccesses(answers);
  });

  test('versions of collections are restored while their members change', async () => {
    const deep = await make('Folder', await make('Folder'));
    const members = [...(await several(8, 'File')), ...(await several(4, 'File', deep))];
    const collections = await several(6, 'Collection', deep);
    const ids = uids(members);
    const versions: string[] = [];
    for (const [index, { uid }] of collections.entries()) {
      if (index % 2) await add(ids, uid).expect(200);
      versions.push(await versionOf(uid));
      await add(ids, uid).expect(200);
      await take(ids.slice(0, 6), uid).expect(200);
    }
    const answers = await Promise.all([
      ...versions.map((uid) => run('Document.RestoreVersion', uid)),
      ...collections.map(({ uid }, index) => add(ids.slice(0, index + 2).toReversed(), uid)),
      run('Document.SetProperty', ids, { xpath: 'dc:title', value: 'x' }),
      ...ids.slice(0, 4).map((uid) => run('Document.Delete', uid)),
      run('Document.Delete', ids.slice(8).toReversed()),
    ]);
    expectSuccesses(answers);
  });

  test('versions that are members are deleted while their collections change', async () => {
    const deep = await make('Folder', await make('Folder'));
    const files = await several(8, 'File', deep);
    const collections = await several(4, 'Collection');
    const versions: string[] = [];
    for (const { uid } of files) {
      versions.push(await versionOf(uid));
      await run('Document.CheckOut', uid).expect(200);
    }
    for (const { uid } of collections) await add([...versions, ...uids(files)], uid).expect(200);
    const answers = await Promise.all([
      ...versions.slice(0, 4).map((uid) => run('Document.Delete', uid)),
      run('Document.Delete', versions.slice(4).toReversed()),
      ...collections.flatMap(({ uid }) => [take(uids(files), uid), add(uids(files).toReversed(), uid)]),
    ]);
    expectSuccesses(answers);
  });
});
