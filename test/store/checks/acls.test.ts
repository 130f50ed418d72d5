import { expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUsers } from '../../support/users.ts';
import { checkConsistency } from '../consistency.ts';
import { breakBy, faultsOf, runCheck } from './check-support.ts';

const server = useServer();
useUsers(server, 'ann');
checkConsistency(server);

test('effective ACLs are found to differ from the entries, or not to be there, and are made anew', async () => {
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
    expect(await faultsOf(server, 'acls', { isMending: true })).toEqual(
      found.map((fault) => `${fault} mended`),
    );
    expect(await faultsOf(server, 'acls')).toEqual([]);
    expect(await rows()).toEqual(before);
    await runCheck(server, 'index', { isMending: true });
  }
});
