import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

/** The page of the table that each document below a folder is on, by its id. */
async function pagesBelow(id: string): Promise<Map<string, number>> {
  const rows = await server.database.prisma.$queryRawUnsafe<Array<{ id: string; page: number }>>(
    'SELECT id, (ctid::text::point)[0]::int AS page FROM document WHERE parent_id = $1::uuid',
    id,
  );
  return new Map(rows.map((row) => [row.id, row.page]));
}

test('a change of an ACL writes rows beside themselves, so that no index has to follow', async () => {
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
