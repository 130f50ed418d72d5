/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { withoutDeadlocks } from '../row-locks/without-deadlocks.ts';

const server = useServer({ DATABASE_CONNECTIONS: '25' });
withoutDeadlocks(server);
const run = async (operation: string, input: readonly string[], params: Record<string, unknown> = {}) =>
  call(server.request, `Document.${operation}`, { input, params });

const made = (count: number, parent?: Pick<DocumentEntity, 'path'>, type = 'Folder') =>
  Promise.all(
    Array.from({ length: count }, () =>
      createDocument(server, { type, ...(parent && { parent: parent.path }) }),
    ),
  );
const uids = (documents: readonly DocumentEntity[]): string[] => documents.map(({ uid }) => uid);
const statuses = (answers: ReadonlyArray<{ status: number }>): number[] => [
  ...new Set(answers.map(({ status }) => status)),
];

/** Four concurrent calls: with the list, the reversed list, and both again. */
const bothWays = (list: readonly string[], work: (list: readonly string[]) => ReturnType<typeof run>) =>
  Promise.all([list, list.toReversed(), list, list.toReversed()].map(work));

describe('§4.7 concurrent operations on the same documents, in either order, are free of deadlocks', () => {
  test.each([
    ['SetProperty', { xpath: 'dc:title', value: 'x' }],
    ['Lock', {}],
    ['Trash', {}],
    ['AddPermission', { permission: 'Read', users: ['Administrator'] }],
    ['Create', { type: 'File', name: 'same' }],
    ['Copy', { target: '/default-domain/workspaces' }],
    ['CreateVersion', { increment: 'Minor' }],
  ])('Document.%s succeeds for every list', async (operation, params) => {
    const type = operation === 'CreateVersion' ? 'File' : 'Folder';
    const list = uids(await made(30, undefined, type));
    const answers = await bothWays(list, (input) => run(operation, input, params));
    expect(statuses(answers)).toEqual([200]);
  });

  test('Document.Delete succeeds once, and the other calls get 404', async () => {
    const parents = await made(10);
    for (const parent of parents) await made(2, parent);
    const answers = await bothWays(uids(parents), (input) => run('Delete', input));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404]);
  });

  test('Document.Delete of two folders, each with the children of the other, succeeds once', async () => {
    const [one, two] = (await made(2)) as [DocumentEntity, DocumentEntity];
    const [inOne, inTwo] = [await made(20, one), await made(20, two)];
    const answers = await Promise.all([
      run('Delete', [one.uid, ...uids(inTwo)]),
      run('Delete', [two.uid, ...uids(inOne)]),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  });

  test('Document.Trash and Document.Move succeed on different documents of the same folders', async () => {
    const [one, two, three] = (await made(3)) as [DocumentEntity, DocumentEntity, DocumentEntity];
    const pairs: string[][] = [];
    for (let index = 0; index < 12; index += 1) {
      const pair = [...(await made(1, one)), ...(await made(1, two))];
      pairs.push(index % 2 ? uids(pair).toReversed() : uids(pair));
    }
    const answers = await Promise.all(
      pairs.map((pair, index) =>
        index % 3 === 2 ? run('Move', pair, { target: three.uid }) : run('Trash', pair),
      ),
    );
    expect(statuses(answers)).toEqual([200]);
    const back = await Promise.all(
      pairs.map((pair, index) => run('Untrash', index % 4 < 2 ? pair : pair.toReversed())),
    );
    expect(statuses(back)).toEqual([200]);
  });

  test('delete and undelete succeed on different documents of the same folders', async () => {
    const folders = (await made(2)) as [DocumentEntity, DocumentEntity];
    const lists: string[][] = [];
    for (let index = 0; index < 12; index += 1) {
      const pair = (await Promise.all(folders.map((folder) => made(1, folder)))).flat();
      lists.push(index % 2 ? uids(pair).toReversed() : uids(pair));
    }
    for (const value of ['delete', 'undelete']) {
      const answers = await Promise.all(
        lists.map((list) => run('FollowLifecycleTransition', list, { value })),
      );
      expect(statuses(answers)).toEqual([200]);
    }
  });

  test('lists succeed next to operations on single documents above, in and below them', async () => {
    const [top] = (await made(1)) as [DocumentEntity];
    const folders = await made(8, top);
    const leaves = (await Promise.all(folders.map((folder) => made(1, folder)))).flat();
    const list = uids([...leaves, ...folders]);
    const answers = await Promise.all([
      ...[list, list.toReversed()].map((input) =>
        run('SetProperty', input, { xpath: 'dc:title', value: 'y' }),
      ),
      ...[top, ...folders].map(({ uid }) =>
        run('AddPermission', [uid], { permission: 'Read', users: ['Administrator'] }),
      ),
      ...folders.map(({ uid }) => run('Create', [uid], { type: 'File', name: 'new' })),
      run('Trash', uids(folders).toReversed()),
      run('Copy', uids(leaves), { target: top.uid }),
    ]);
    expect(statuses(answers)).toEqual([200]);
  });
});
