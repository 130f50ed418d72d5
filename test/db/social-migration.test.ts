import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/db/database.ts';
import { emptyDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  database = (await emptyDatabase()).database;
});
afterAll(() => database.close());

/** What the migration makes. */
const undo = [
  'DROP TABLE document_tag, collection_member, subscription',
  'DROP FUNCTION document_tag_refresh() CASCADE',
  'DROP FUNCTION document_tag_govern() CASCADE',
  'DROP INDEX document_repository_type_lower_title_idx',
  "DELETE FROM _prisma_migrations WHERE migration_name ~ '_(social|tag_acls)$'",
];

test('the migration indexes existing tags and removes invalid collection memberships', async () => {
  await database.migrate();
  for (const statement of undo) await database.prisma.$executeRawUnsafe(statement);
  const tags = [{ label: 'Old', username: 'x' }, { label: 'old' }, { username: 'x' }, { label: 'other' }];
  const [tagged, plain] = [randomUUID(), randomUUID()];
  const row = { repository: 'default', type: 'File', title: '', aclId: randomUUID(), ancestorIds: [] };
  const properties = {
    'dc:title': 'T',
    'collection:documentIds': ['x'],
    'collectionMember:collectionIds': ['y'],
  };
  await database.prisma.document.createMany({
    data: [
      { ...row, id: tagged, name: 'a', path: '/a', properties: { 'nxtag:tags': tags } },
      { ...row, id: plain, name: 'b', path: '/b', properties },
    ],
  });
  expect(await database.migrate()).toEqual([
    expect.stringMatching(/_social$/),
    expect.stringMatching(/_tag_acls$/),
  ]);
  const found = await database.prisma.documentTag.findMany({ orderBy: { label: 'asc' } });
  expect(found.map(({ documentId, label, aclId }) => [documentId, label, aclId])).toEqual([
    [tagged, 'old', row.aclId],
    [tagged, 'other', row.aclId],
  ]);
  const rows = await database.prisma.document.findMany({ where: { id: plain } });
  expect(rows.map((document) => document.properties)).toEqual([{ 'dc:title': 'T' }]);
});
