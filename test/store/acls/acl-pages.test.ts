import { expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

/** The page of the table that each document below a folder is on, by its id. */
async function pagesBelow(id: string): Promise<Map<string, number>> {
  const rows = await server.database.prisma.$queryRawUnsafe<Array<{ id: string; page: number }>>(
    'SELECT id, (ctid::text::point)[0]::int AS page FROM document WHERE parent_id = $1::uuid',
    id,
  );
  return new Map(rows.map((row) => [row.id, row.page]));
}

test('a change of an ACL keeps most rows on their pages, so that no index is updated', async () => {
  const folder = await createDocument(server, { type: 'Folder' });
  for (let index = 0; index < 60; index += 1) {
    await createDocument(server, {
      parent: folder.path,
      properties: { 'dc:description': 'words '.repeat(20) },
    });
  }
  const before = await pagesBelow(folder.uid);
  await setAcl(server, folder.path, [grant('members', 'Write')]);
  const after = await pagesBelow(folder.uid);
  const stayed = [...before].filter(([id, page]) => after.get(id) === page);
  expect(before.size).toBe(60);
  expect(stayed.length).toBeGreaterThan(50);
});
