import { dirname } from 'node:path/posix';
import { expect, test } from '@jest/globals';
import { comment } from '../../rest/comments/comment-requests.ts';
import { idOf, versionsOf } from '../../rest/versions/version-requests.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { useUsers } from '../../support/users.ts';
import { checkConsistency } from '../consistency.ts';
import { breakBy, faultsOf, runCheck } from './check-support.ts';

const server = useServer();
useUsers(server, 'ann');
checkConsistency(server);

test('the check finds missing effective ACLs and those that differ from the entries, and assigns them again', async () => {
  const folder = await createDocument(server, { type: 'Folder', name: 'folder' });
  const child = await createDocument(server, { parent: folder.path, name: 'child' });
  const other = await createDocument(server, { name: 'other' });
  await setAcl(server, folder.path, [grant('ann', 'Read')]);
  const rows = () =>
    server.database.prisma.document.findMany({ select: { id: true, aclId: true }, orderBy: { id: 'asc' } });
  const before = await rows();
  const aclOf = (id: string) => before.find((row) => row.id === id)?.aclId;
  expect(await faultsOf(server, 'acls')).toEqual([]);

  const faults: Array<[sql: string, found: string[]]> = [
    [
      `UPDATE document SET acl_id = '${aclOf(other.uid)}' WHERE id = '${child.uid}'`,
      [`effective ${child.path}`],
    ],
    [
      `UPDATE document SET acl_id = '${aclOf(other.uid)}' WHERE id IN ('${folder.uid}', '${child.uid}')`,
      [`effective ${folder.path}`],
    ],
    [
      `DELETE FROM effective_acl WHERE id = '${aclOf(folder.uid)}'`,
      [`missing ${folder.path}`, `missing ${child.path}`],
    ],
    [`UPDATE effective_acl SET entries = '[]' WHERE id = '${aclOf(folder.uid)}'`, ['content -']],
  ];
  for (const [sql, found] of faults) {
    await breakBy(server, sql);
    expect(await faultsOf(server, 'acls')).toEqual(found);
    expect(await faultsOf(server, 'acls', { isRepairing: true })).toEqual(
      found.map((fault) => `${fault} repaired`),
    );
    expect(await faultsOf(server, 'acls')).toEqual([]);
    expect(await rows()).toEqual(before);
    await runCheck(server, 'index', { isRepairing: true });
  }
});

test('the check finds comments on versions that have the ACEs of the version, and repairs them', async () => {
  const folder = await createDocument(server, { type: 'Folder', name: 'commented' });
  await setAcl(server, folder.path, [grant('ann', 'ReadVersion')]);
  const [document, other] = [
    await createDocument(server, { parent: folder.path }),
    await createDocument(server, { parent: folder.path, name: 'other' }),
  ];
  await calling(server)('Document.CreateVersion', document.uid, { increment: 'Minor' }).expect(200);
  const { id } = await comment(server.request, idOf(await versionsOf(server.request, document.uid), 0));
  const { body: onVersion } = await server.request.get(atId(id)).expect(200);
  for (const { path } of [onVersion, other]) await setAcl(server, path, [grant('ann', 'Browse')]);
  const rows = () =>
    server.database.prisma.document.findMany({ select: { id: true, aclId: true }, orderBy: { id: 'asc' } });
  const before = await rows();
  const has = (one: string, another: string) =>
    `UPDATE document SET acl_id = (SELECT acl_id FROM document WHERE id = '${another}') WHERE id = '${one}'`;
  const root = { uid: onVersion.parentRef, path: dirname(onVersion.path) };

  const faults: Array<[sql: string[], found: string[]]> = [
    [[has(id, other.uid)], [`effective ${onVersion.path}`]],
    [[has(id, other.uid), has(root.uid, document.uid)], [`effective ${root.path}`]],
  ];
  for (const [sql, found] of faults) {
    await breakBy(server, ...sql);
    expect(await faultsOf(server, 'acls', { isRepairing: true })).toEqual(
      found.map((fault) => `${fault} repaired`),
    );
    expect(await faultsOf(server, 'acls')).toEqual([]);
    expect(await rows()).toEqual(before);
    await runCheck(server, 'index', { isRepairing: true });
  }
});
