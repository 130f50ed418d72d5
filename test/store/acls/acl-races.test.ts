/** @group slow */

import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl, type TestAce } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { untilWaiting } from '../../support/until-waiting.ts';
import { useUsers } from '../../support/users.ts';
import { checkConsistency, contradictions } from '../consistency.ts';
import { times } from '../times.ts';

const server = useServer();
useUsers(server, 'ann', 'bob', 'cem');

checkConsistency(server);

/** A chain of folders, each in the one before. */
async function chain(length: number): Promise<DocumentEntity[]> {
  const folders: DocumentEntity[] = [];
  for (let index = 0; index < length; index += 1) {
    const parent = folders.at(-1)?.path;
    folders.push(await createDocument(server, { type: 'Folder', ...(parent && { parent }) }));
  }
  return folders;
}

const names = ['ann', 'bob', 'cem'];
const block = deny('Everyone', 'Everything');

/** Different ACEs for each seed; none for every seventh. */
function aces(seed: number): TestAce[] {
  if (seed % 7 === 0) return [];
  const given = grant(names[seed % 3] ?? '', seed % 2 === 0 ? 'Read' : 'Write');
  return seed % 4 === 0 ? [given, block] : [given];
}

const create = ({ path }: { path: string }, name: string) =>
  server.request
    .post(`/api/v1/path${path}`)
    .send({ 'entity-type': 'document', type: 'Folder', name, properties: {} });

describe('Concurrent changes of ACLs in one tree', () => {
  test('on documents above each other leave every document with its effective ACL', async () => {
    for (let round = 0; round < 4; round += 1) {
      const folders = await chain(5);
      await times(20, (index) =>
        setAcl(server, folders[(index * 3 + round) % 5]?.path ?? '', aces(index + round)),
      );
      expect(await contradictions(server)).toEqual([]);
    }
  });

  test('on siblings, with equal ACEs, all succeed', async () => {
    const [parent] = await chain(1);
    const folders = await times(6, (index) =>
      createDocument(server, { type: 'Folder', parent: parent?.path ?? '', name: `beside-${index}` }),
    );
    await times(48, (index) =>
      setAcl(server, folders[index % 6]?.path ?? '', index % 4 < 2 ? [grant('ann', 'Read')] : []),
    );
  });

  test('succeed while documents are created below, at any depth', async () => {
    for (let round = 0; round < 6; round += 1) {
      const folders = await chain(4);
      const [top] = folders as [DocumentEntity];
      const creating = times(24, async (index) => {
        await setTimeout(index % 6);
        const response = await create(folders[index % 4] as DocumentEntity, `new-${index}`);
        expect(response.status).toBe(201);
        // And below the new folder, which the change of the ACL may not have seen.
        expect((await create(response.body, 'below')).status).toBe(201);
      });
      await setTimeout(round);
      await times(3, (index) => setAcl(server, (folders[index] ?? top).path, aces(round + index + 1)));
      await creating;
      expect(await contradictions(server)).toEqual([]);
    }
  });

  test('succeed while documents below are changed and deleted', async () => {
    const folders = await chain(3);
    const files = await times(12, (index) =>
      createDocument(server, { parent: folders[index % 3]?.path ?? '', name: `file-${index}` }),
    );
    const working = times(36, async (index) => {
      const { uid } = files[index % 12] as DocumentEntity;
      const body = { 'entity-type': 'document', properties: { 'dc:title': `title ${index}` } };
      const { status } =
        index < 30
          ? await server.request.put(`/api/v1/id/${uid}`).send(body)
          : await server.request.delete(`/api/v1/id/${uid}`);
      expect([200, 204, 404]).toContain(status);
    });
    await times(6, (index) => setAcl(server, folders[index % 3]?.path ?? '', aces(index + 1)));
    await working;
  });

  test('succeed or answer 404 while the tree is deleted', async () => {
    for (let round = 0; round < 4; round += 1) {
      const folders = await chain(4);
      const changing = times(8, (index) =>
        setAcl(server, folders[index % 4]?.path ?? '', aces(index + 1)).catch(
          ({ message }: Error) => message,
        ),
      );
      await setTimeout(round * 2);
      await server.request.delete(`/api/v1/id/${folders[1]?.uid}`).expect(204);
      for (const outcome of await changing) {
        if (outcome !== undefined)
          expect(folders.map(({ path }) => `There is no document at ${path}.`)).toContain(outcome);
      }
    }
  });
});

describe('a change of ACLs while the document is moved', () => {
  test('is refused, because its inherited ACLs have changed', async () => {
    const [folder] = await chain(1);
    const { id } = await server.database.prisma.document.findFirstOrThrow({ where: { path: '/' } });
    let changing: Promise<unknown> = Promise.resolve();
    await server.database.transaction(20, async (db) => {
      const holdIt = { name: '', text: 'SELECT FROM document WHERE id = $1::uuid FOR UPDATE' };
      const moveIt = {
        name: '',
        text: 'UPDATE document SET ancestor_ids = ARRAY[$2::uuid] WHERE id = $1::uuid',
      };
      await db.query(holdIt, [folder?.uid]);
      changing = askGraphql(
        server.request,
        `mutation { documentRemoveACL(input: {document: "${folder?.path}"}, acl: "local") { kind } }`,
      ).catch(({ message }: Error) => message);
      await untilWaiting(server.database, 1);
      await db.query(moveIt, [folder?.uid, id]);
    });
    expect(await changing).toContain('was moved in the meantime');
    await server.database.prisma.document.delete({
      where: { repository_id: { repository: 'default', id: folder?.uid ?? '' } },
    });
  });
});
