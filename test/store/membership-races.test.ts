import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '../automation/calls.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { withoutDeadlocks } from './without-deadlocks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start({ DATABASE_CONNECTIONS: '25' });
});
afterAll(() => server.stop());
withoutDeadlocks(() => server);
const run = async (id: string, input: unknown, params: Record<string, unknown> = {}) =>
  call(server.request, id, { input, params });
const make = (type: string, parent?: Pick<DocumentEntity, 'path'>) =>
  createDocument(server, { type, ...(parent && { parent: parent.path }) });
const several = (count: number, type: string, parent?: DocumentEntity) =>
  Promise.all(Array.from({ length: count }, () => make(type, parent)));
const uids = (documents: readonly DocumentEntity[]): string[] => documents.map(({ uid }) => uid);

const statuses = (answers: ReadonlyArray<{ status: number }>): number[] =>
  [...new Set(answers.map(({ status }) => status))].toSorted();

const add = (members: readonly string[], collection: string) =>
  run('Document.AddToCollection', members, { collection });
const take = (members: readonly string[], collection: string) =>
  run('Collection.RemoveFromCollection', members, { collection });

describe('Memberships that end while others work on both ends (§4.7): nobody waits in a circle', () => {
  test('a deep member is deleted while its collection, further up, gains and loses members', async () => {
    const collections = await several(4, 'Collection');
    const folder = await make('Folder', await make('Folder', await make('Folder')));
    const members = await several(24, 'File', folder);
    for (const { uid } of collections) await add(uids(members), uid);
    const answers = await Promise.all([
      ...members.slice(0, 12).map(({ uid }) => run('Document.Delete', uid)),
      ...collections.flatMap(({ uid }, index) => [
        take(uids(members.slice(6, 18)), uid),
        add(uids(members.slice(index, 24)).toReversed(), uid),
      ]),
    ]);
    expect(statuses(answers).every((status) => [200, 204, 404].includes(status))).toBe(true);
  });

  test('a deep collection is deleted while its members, further up, are changed and put in order', async () => {
    const ordered = await make('OrderedFolder');
    const members = await several(10, 'File', ordered);
    const folder = await make('Folder', await make('Folder'));
    const collections = await several(10, 'Collection', folder);
    for (const { uid } of collections) await add(uids(members), uid);
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

  test('members beside their collections in an ordered folder are put in order, moved, deleted', async () => {
    const ordered = await make('OrderedFolder');
    const [collections, members] = [
      await several(6, 'Collection', ordered),
      await several(12, 'File', ordered),
    ];
    const target = await make('OrderedFolder');
    for (const { uid } of collections) await add(uids(members), uid);
    const answers = await Promise.all([
      ...members.slice(0, 4).map(({ uid }) => run('Document.Delete', uid)),
      ...collections.slice(0, 2).map(({ uid }) => run('Document.Delete', uid)),
      ...[...members, ...collections].map(({ uid }) => run('Document.Order', uid)),
      ...members.slice(4, 8).map(({ uid }) => run('Document.Move', uid, { target: target.uid })),
      ...collections.slice(1).map(({ uid }) => take(uids(members).toReversed(), uid)),
      ...collections.slice(1).map(({ uid }) => add(uids(members.slice(6)), uid)),
    ]);
    expect(statuses(answers).every((status) => [200, 204, 404].includes(status))).toBe(true);
  });

  test('trees of members and of collections of each other are deleted at once', async () => {
    const [one, two] = [await make('Folder'), await make('Folder', await make('Folder'))];
    const [inOne, inTwo] = [
      [...(await several(6, 'Collection', one)), ...(await several(6, 'File', one))],
      [...(await several(6, 'Collection', two)), ...(await several(6, 'File', two))],
    ];
    for (const { uid } of inOne.slice(0, 6)) await add(uids(inTwo.slice(6)), uid);
    for (const { uid } of inTwo.slice(0, 6)) await add(uids(inOne.slice(6)), uid);
    const answers = await Promise.all([
      ...[one, two].map(({ uid }) => run('Document.Delete', uid)),
      run('Document.SetProperty', uids([...inTwo, ...inOne]), { xpath: 'dc:title', value: 'x' }),
    ]);
    expect(statuses(answers).every((status) => [200, 204, 404].includes(status))).toBe(true);
  });
});
