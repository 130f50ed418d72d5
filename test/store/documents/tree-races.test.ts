/** @group slow */

import { describe, expect, test } from '@jest/globals';
import { createTree } from '../../automation/documents/trees.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { withoutDeadlocks } from '../row-locks/without-deadlocks.ts';
import { times } from '../times.ts';

const server = useServer({ DATABASE_CONNECTIONS: '25' }); // enough for a hundred concurrent writes
withoutDeadlocks(server);

const folder = (parent?: string, name?: string) => createDocument(server, { type: 'Folder', parent, name });

const run = async (operation: string, { uid: input }: DocumentEntity, params: Record<string, unknown> = {}) =>
  call(server.request, `Document.${operation}`, { input, params });
const move = (document: DocumentEntity, target: DocumentEntity) =>
  run('Move', document, { target: target.uid });
const copy = (document: DocumentEntity, target: DocumentEntity) =>
  run('Copy', document, { target: target.uid });
const remove = async ({ uid }: DocumentEntity) => server.request.delete(`/api/v1/id/${uid}`);
const create = async ({ uid }: DocumentEntity, name: string) =>
  server.request.post(`/api/v1/id/${uid}`).send({ 'entity-type': 'document', type: 'Folder', name });

/** The number of responses by status. */
const counted = (answers: ReadonlyArray<{ status: number }>): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { status } of answers) found[status] = (found[status] ?? 0) + 1;
  return found;
};

/** The element at an index, modulo the length. */
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

describe('Fifty concurrent moves', () => {
  test('of folders into each other succeed or get 409, and no subtree is detached', async () => {
    const tops = await times(6, () => folder());
    for (const top of tops) await createTree(server, top, 2, { breadth: 2 });
    const answers = await times(50, (index) =>
      move(at(tops, index), at(tops, index * 3 + 1 + Math.floor(index / 6))),
    );
    const { 200: done = 0, 409: refused = 0, ...others } = counted(answers);
    expect([done + refused, others]).toEqual([50, {}]);
    expect(done).toBeGreaterThan(0);
  });

  test('of documents of one name into one folder create fifty names', async () => {
    const to = await folder();
    const documents = await times(50, async () =>
      createDocument(server, { parent: (await folder()).path, name: 'same' }),
    );
    expect(counted(await Promise.all(documents.map((document) => move(document, to))))).toEqual({ 200: 50 });
    const children = await server.database.prisma.document.findMany({ where: { parentId: to.uid } });
    expect(new Set(children.map(({ name }) => name)).size).toBe(50);
  });

  test('up and down one tree, while documents are created in it, succeed or get 409', async () => {
    const [one, two] = [await folder(), await folder()];
    const top = await folder(one.path, 'top');
    const inner = await folder(top.path, 'inner');
    const leaf = await folder(inner.path, 'leaf');
    const answers = await times(50, (index) => {
      switch (index % 5) {
        case 0:
          return move(top, index % 2 ? one : two);
        case 1:
          return move(leaf, index % 2 ? top : inner);
        case 2:
          return move(inner, index % 2 ? one : top);
        case 3:
          return create(leaf, `${index}`);
        default:
          return create(inner, `${index}`);
      }
    });
    const { 200: moved = 0, 201: created = 0, 409: refused = 0, ...others } = counted(answers);
    expect([moved + created + refused, others]).toEqual([50, {}]);
    expect(created).toBe(20);
  });

  test('while the ACLs above and below change succeed or get 409', async () => {
    const [one, two] = [await folder(), await folder()];
    const top = await folder(one.path);
    const inner = await folder(top.path);
    const grantRead = (document: DocumentEntity) =>
      run('AddPermission', document, {
        users: ['Administrator'],
        permission: 'Read',
        comment: `${Math.random()}`,
      });
    await setAcl(server, two.path, [grant('Administrator', 'Write')]);
    const answers = await times(50, (index) =>
      index % 2 ? grantRead(at([one, two, top, inner], (index - 1) / 2)) : move(top, index % 4 ? one : two),
    );
    const { 200: done = 0, 409: refused = 0, ...others } = counted(answers);
    expect([done + refused, others]).toEqual([50, {}]);
  });
});

describe('Concurrent copies', () => {
  test('of a tree that is being deleted are complete or 404', async () => {
    for (let round = 0; round < 4; round += 1) {
      const to = await folder();
      const source = await folder();
      const below = await createTree(server, source, 2, { breadth: 3 });
      const [copies, deleted] = await Promise.all([times(8, () => copy(source, to)), remove(source)]);
      expect(deleted.status).toBe(204);
      for (const { status, body } of copies) {
        expect([200, 404]).toContain(status);
        if (status !== 200) continue;
        const where = { ancestorIds: { has: body.uid } };
        expect(await server.database.prisma.document.count({ where })).toBe(below);
      }
    }
  });

  test('of a tree that is being changed, moved and deleted, have an expected status', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, two] = [await folder(), await folder()];
      const source = await folder(one.path);
      const inner = await folder(source.path);
      await createTree(server, inner, 2, { breadth: 2 });
      const answers = await Promise.all([
        ...[0, 1, 2, 3].map(() => copy(source, two)),
        ...[0, 1, 2].map((index) => move(source, index % 2 ? one : two)),
        remove(inner),
        ...(round === 2 ? [remove(two)] : []),
      ]);
      for (const { status } of answers) expect([200, 204, 404, 409]).toContain(status);
    }
  });
});

describe('The trash', () => {
  test('accepts and restores documents while others are created and moved there', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, two] = [await folder(), await folder()];
      const top = await folder(one.path, 'top');
      const inner = await folder(top.path, 'inner');
      const answers = await times(30, (index) => {
        switch (index % 6) {
          case 0:
            return run('Trash', top);
          case 1:
            return run('Untrash', inner);
          case 2:
            return run('Trash', inner);
          case 3:
            return create(inner, `${index}`);
          case 4:
            return move(inner, index % 4 ? top : two);
          default:
            return run('Untrash', top);
        }
      });
      for (const { status } of answers) expect([200, 201, 409]).toContain(status);
    }
  });

  test('accepts fifty concurrent calls for one document and logs one event', async () => {
    const top = await folder();
    expect(counted(await times(50, () => run('Trash', top)))).toEqual({ 200: 50 });
    const where = { docUuid: top.uid, eventId: 'documentTrashed' };
    expect(await server.database.prisma.logEntry.count({ where })).toBe(1);
  });
});
