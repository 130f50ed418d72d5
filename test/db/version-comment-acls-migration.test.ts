import { expect, test } from '@jest/globals';
import { comment } from '../rest/comments/comment-requests.ts';
import { idOf, versionsOf } from '../rest/versions/version-requests.ts';
import { wrongAcls } from '../store/acls/acl-consistency.ts';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument } from '../support/documents.ts';
import { calling } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

const server = useServer();
const { request } = server;
const run = calling(server);
useUser(server, 'bob "the\\\u0007 ü" ');

test('the migration gives comments on versions the effective ACLs of comments', async () => {
  const { prisma } = server.database;
  const made = [];
  for (const name of ['one', 'two']) {
    const { uid, path } = await createDocument(server, { name });
    await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    const version = idOf(await versionsOf(request, uid), 0);
    const { id } = await comment(request, version);
    const reply = await comment(request, id);
    if (name === 'one')
      await setAcl(server, path, [
        { ...deny('bob "the\\\u0007 ü" ', 'ReadVersion'), begin: '2026-01-02T03:04:05.000Z' },
        { ...grant('bob "the\\\u0007 ü" ', 'Version'), notify: true, comment: 'now "\n' },
        grant('bob "the\\\u0007 ü" ', 'ReadVersion'),
        grant('Everyone', 'Read'),
      ]);
    made.push({ version, ids: [id, reply.id] });
  }
  const expected = await prisma.document.findMany({
    select: { id: true, aclId: true },
    orderBy: { id: 'asc' },
  });
  for (const { version } of made) {
    const { aclId } = await prisma.document.findFirstOrThrow({ where: { id: version } });
    await prisma.document.updateMany({ where: { ancestorIds: { has: version } }, data: { aclId } });
  }
  expect(await wrongAcls(server)).toHaveLength(3);
  await prisma.$executeRawUnsafe(
    "DELETE FROM _prisma_migrations WHERE migration_name ~ '_version_comment_acls$'",
  );
  expect(await server.database.migrate()).toEqual([expect.stringMatching(/_version_comment_acls$/)]);
  expect(await wrongAcls(server)).toEqual([]);
  const after = await prisma.document.findMany({ select: { id: true, aclId: true }, orderBy: { id: 'asc' } });
  expect(after).toEqual(expected);
});
