import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { forgetAcls } from '../../src/jobs/forget-acls.ts';
import { wrongAcls } from '../store/acl-consistency.ts';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
  await createUser(server, 'ann');
});
afterAll(() => server.stop());

afterEach(async () => {
  expect(await wrongAcls(server)).toEqual([]);
});

const count = () => server.database.prisma.effectiveAcl.count();

/** Makes every effective ACL look as if it had been used two days ago. */
const age = () =>
  server.database.prisma.effectiveAcl.updateMany({ data: { usedAt: new Date(Date.now() - 2 * 86_400_000) } });

describe('Effective ACLs that no document points to', () => {
  test('go a day later, not at once', async () => {
    const { path } = await createDocument(server);
    const before = await count();
    await setAcl(server, path, [grant('ann', 'Read')]);
    await setAcl(server, path, []);
    expect(await forgetAcls(server.database)).toBe(0);
    expect(await count()).toBe(before + 1);
    await age();
    expect(await forgetAcls(server.database)).toBe(1);
    expect(await count()).toBe(before);
  });

  test('stay while any document points to them, however old', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await setAcl(server, folder.path, [grant('ann', 'Write')]);
    await createDocument(server, { parent: folder.path });
    await age();
    const before = await count();
    expect(await forgetAcls(server.database)).toBe(0);
    expect(await count()).toBe(before);
  });

  test('stay for a document that nothing above it speaks for, as only a fault could leave one', async () => {
    const { uid, path } = await createDocument(server);
    const where = { repository_id: { repository: 'default', id: uid } };
    await setAcl(server, path, [grant('ann', 'ReadRemove')]);
    const { document } = server.database.prisma;
    const { aclId: used } = await document.findUniqueOrThrow({ where });
    await setAcl(server, path, []);
    const { aclId: right } = await document.findUniqueOrThrow({ where });
    await document.update({ where, data: { aclId: used } });
    await age();
    expect(await forgetAcls(server.database)).toBe(0);
    await document.update({ where, data: { aclId: right } });
    expect(await forgetAcls(server.database)).toBe(1);
  });

  test('stay a day from when the last document turned away from them', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'Remove')]);
    await age();
    await setAcl(server, path, []);
    expect(await forgetAcls(server.database)).toBe(0);
  });

  test('go with the documents that pointed to them', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'Version')]);
    await server.request.delete(`/api/v1/path${path}`).expect(204);
    await age();
    const before = await count();
    expect(await forgetAcls(server.database)).toBeGreaterThan(0);
    expect(await count()).toBeLessThan(before);
  });

  test('are there again as soon as they count again', async () => {
    const { path } = await createDocument(server);
    for (let round = 0; round < 3; round += 1) {
      await setAcl(server, path, [grant('ann', 'Comment')]);
      await setAcl(server, path, []);
      await age();
      await forgetAcls(server.database);
    }
    await setAcl(server, path, [grant('ann', 'Comment')]);
    const { body } = await server.request.get(`/api/v1/path${path}/@acl`).expect(200);
    expect(body.acl[0].ace).toMatchObject([{ username: 'ann', permission: 'Comment' }]);
  });

  test('never go while documents are pointed to them', async () => {
    const { path } = await createDocument(server);
    const forgetting = { isOver: false };
    const forget = async () => {
      while (!forgetting.isOver) {
        await age();
        await forgetAcls(server.database, 0);
        await setTimeout(1); // or the embedded database would let nothing else happen
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
