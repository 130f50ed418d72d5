import { beforeAll, describe, expect, test } from '@jest/globals';
import { Invalid } from '../../../src/errors.ts';
import type { DocumentRow } from '../../../src/loaders/documents/document-row.ts';
import type { Scope } from '../../../src/scope.ts';
import { addPermission } from '../../../src/store/acls/permissions.ts';
import { createDocument } from '../../../src/store/documents/create-document.ts';
import { updateDocument } from '../../../src/store/documents/update-document.ts';
import { stockedDatabase } from '../../support/database.ts';
import { testScope } from '../../support/scope.ts';
import { use } from '../../support/use.ts';

const stocked = use(stockedDatabase);
beforeAll(async () => {
  const users = ['ada', 'bob'];
  await stocked.database.prisma.user.createMany({ data: users.map((id) => ({ id })) });
  const grant = { users, permission: 'ReadWrite' };
  await as('root', (scope) => addPermission(scope, { path: '/default-domain' }, grant), true);
});

/** Writes as a user, who is an administrator or not. */
function as<T>(id: string, write: (scope: Scope) => Promise<T>, isAdministrator = false): Promise<T> {
  return stocked.database.transaction(30, (db) =>
    write(testScope(db, { user: { id, groups: [], isAdministrator } })),
  );
}

let count = 0;
const create = (user: string, properties: Record<string, unknown> = {}): Promise<DocumentRow> => {
  count += 1;
  const document = { name: `d${count}`, type: 'File', properties };
  return as(user, (scope) => createDocument(scope, { path: '/default-domain' }, document));
};
const update = (
  user: string,
  { id }: DocumentRow,
  properties: Record<string, unknown>,
): Promise<DocumentRow> => as(user, (scope) => updateDocument(scope, { id }, { properties }));

const others: Array<[string, unknown]> = [
  ['dc:created', '2001-01-01'],
  ['dc:modified', '2001-01-01'],
  ['dc:creator', 'bob'],
  ['dc:contributors', ['ada', 'bob']],
  ['dc:lastContributor', 'bob'],
];

describe('§2.1 fields that the server maintains, for users who are not administrators', () => {
  test.each(others)('%s cannot be set on create', async (xpath, value) => {
    const refused = create('ada', { [xpath]: value });
    await expect(refused).rejects.toThrow(Invalid);
    await expect(refused).rejects.toThrow(xpath);
  });

  test.each([...others, ...others.map(([xpath]): [string, unknown] => [xpath, null])])(
    '%s cannot be changed to %j',
    async (xpath, value) => {
      const row = await create('ada');
      const refused = update('ada', row, { 'dc:title': 'A', [xpath]: value });
      await expect(refused).rejects.toThrow(Invalid);
      await expect(refused).rejects.toThrow(xpath);
    },
  );

  test('can be sent unchanged together with a change', async () => {
    const row = await create('ada');
    const changed = await update('ada', row, { ...row.properties, 'dc:title': 'A' });
    expect(changed).toMatchObject({ userToken: 1, properties: { 'dc:title': 'A', 'dc:creator': 'ada' } });
  });

  test('can be sent as null on create, which is ignored', async () => {
    const { properties } = await create('ada', { 'dc:creator': null, 'dc:contributors': [] });
    expect(properties).toMatchObject({ 'dc:creator': 'ada', 'dc:contributors': ['ada'] });
  });

  test('record the creator and the contributors', async () => {
    const row = await create('ada');
    expect(row.properties).toMatchObject({
      'dc:creator': 'ada',
      'dc:contributors': ['ada'],
      'dc:lastContributor': 'ada',
    });
    const { properties } = await update('bob', row, { 'dc:title': 'A' });
    expect(properties).toMatchObject({
      'dc:creator': 'ada',
      'dc:contributors': ['ada', 'bob'],
      'dc:lastContributor': 'bob',
    });
  });

  test('do not change when a save changes nothing', async () => {
    const row = await create('ada', { 'dc:title': 'A' });
    const { properties } = await update('bob', row, { 'dc:title': 'A' });
    expect(properties).toEqual(row.properties);
  });
});
