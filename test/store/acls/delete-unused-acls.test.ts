import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/db/database.ts';
import { deleteUnusedAcls } from '../../../src/store/acls/delete-unused-acls.ts';
import { comment } from '../../rest/comments/comment-requests.ts';
import { idOf, versionsOf } from '../../rest/versions/version-requests.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUsers } from '../../support/users.ts';
import { wrongAcls } from './acl-consistency.ts';

const server = useServer();
useUsers(server, 'ann');

afterEach(async () => {
  expect(await wrongAcls(server)).toEqual([]);
});

const count = () => server.database.prisma.effectiveAcl.count();

const indexed = () => until(async () => (await server.searchIndex.catchUp(server.database)).isCaughtUp);

/** Dates the last use of every effective ACL back by two days. */
const age = () =>
  server.database.prisma.effectiveAcl.updateMany({ data: { usedAt: new Date(Date.now() - 2 * 86_400_000) } });

describe('Effective ACLs without a document', () => {
  test('are deleted after a day, not immediately', async () => {
    const { path } = await createDocument(server);
    const before = await count();
    await setAcl(server, path, [grant('ann', 'Read')]);
    await setAcl(server, path, []);
    expect(await deleteUnusedAcls(server.database)).toBe(0);
    expect(await count()).toBe(before + 1);
    await indexed();
    await age();
    expect(await deleteUnusedAcls(server.database)).toBe(1);
    expect(await count()).toBe(before);
  });

  test('are kept while a document refers to them, whatever their age', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await setAcl(server, folder.path, [grant('ann', 'Write')]);
    await createDocument(server, { parent: folder.path });
    await age();
    const before = await count();
    expect(await deleteUnusedAcls(server.database)).toBe(0);
    expect(await count()).toBe(before);
  });

  test('are looked for in the search index, which has comments on versions: documents are not read', async () => {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'ReadVersion')]);
    await calling(server)('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    await comment(server.request, idOf(await versionsOf(server.request, uid), 0));
    await indexed();
    await age();
    await deleteUnusedAcls(server.database);
    const plans: string[] = [];
    const query: Client['query'] = async ({ text }, values) => {
      const plan = await server.database.query({ name: '', text: `EXPLAIN ANALYZE ${text}` }, values);
      plans.push(JSON.stringify(plan));
      return [];
    };
    await deleteUnusedAcls({ query });
    expect(plans).toEqual([expect.stringMatching(/ on document d [^"]*never executed/)]);
  });

  test('are kept for a document that refers to them by a fault', async () => {
    const { uid, path } = await createDocument(server);
    const where = { repository_id: { repository: 'default', id: uid } };
    await setAcl(server, path, [grant('ann', 'ReadRemove')]);
    const { document } = server.database.prisma;
    const { aclId: used } = await document.findUniqueOrThrow({ where });
    await setAcl(server, path, []);
    const { aclId: right } = await document.findUniqueOrThrow({ where });
    await document.update({ where, data: { aclId: used } });
    await age();
    expect(await deleteUnusedAcls(server.database)).toBe(0);
    await document.update({ where, data: { aclId: right } });
    await indexed();
    expect(await deleteUnusedAcls(server.database)).toBe(1);
  });

  test('are kept for a day after the last document stopped referring to them', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'Remove')]);
    await age();
    await setAcl(server, path, []);
    expect(await deleteUnusedAcls(server.database)).toBe(0);
  });

  test('are deleted after the documents that referred to them', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'Version')]);
    await server.request.delete(`/api/v1/path${path}`).expect(204);
    await indexed();
    await age();
    const before = await count();
    expect(await deleteUnusedAcls(server.database)).toBeGreaterThan(0);
    expect(await count()).toBeLessThan(before);
  });

  test('are created again when they are needed again', async () => {
    const { path } = await createDocument(server);
    for (let round = 0; round < 3; round += 1) {
      await setAcl(server, path, [grant('ann', 'Comment')]);
      await setAcl(server, path, []);
      await age();
      await deleteUnusedAcls(server.database);
    }
    await setAcl(server, path, [grant('ann', 'Comment')]);
    const { body } = await server.request.get(`/api/v1/path${path}/@acl`).expect(200);
    expect(body.acl[0].ace).toMatchObject([{ username: 'ann', permission: 'Comment' }]);
  });

  test('are never deleted while changes make documents refer to them', async () => {
    const { path } = await createDocument(server);
    const forgetting = { isOver: false };
    const forget = async () => {
      while (!forgetting.isOver) {
        await age();
        // A change notes the time at which it began, which may be before this statement: a grace of 0 is too short.
        await deleteUnusedAcls(server.database, 60);
        await setTimeout(1); // otherwise the embedded database would run nothing else
      }
    };
    const running = forget();
    for (let round = 0; round < 20; round += 1) {
      await setAcl(server, path, round % 2 === 0 ? [grant('ann', 'Unlock')] : []);
      expect(await wrongAcls(server)).toEqual([]);
    }
    forgetting.isOver = true;
    await running;
  });
});
