import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Invalid } from '../../src/errors.ts';
import type { DocumentRow } from '../../src/loaders/document-row.ts';
import { loadModel } from '../../src/model/contributed.ts';
import type { Model } from '../../src/model/model.ts';
import type { Scope } from '../../src/scope.ts';
import { createDocument } from '../../src/store/create-document.ts';
import { createExecuting } from '../../src/store/executing.ts';
import { addPermission } from '../../src/store/permissions.ts';
import { updateDocument } from '../../src/store/update-document.ts';
import { attempts, secrets } from '../support/authentication.ts';
import { stockedDatabase, type TestDatabase } from '../support/database.ts';

let stocked: TestDatabase;
let model: Model;
beforeAll(async () => {
  stocked = await stockedDatabase();
  model = await loadModel(undefined);
  const users = ['ada', 'bob'];
  await stocked.database.prisma.user.createMany({ data: users.map((id) => ({ id })) });
  const grant = { users, permission: 'ReadWrite' };
  await as('root', (scope) => addPermission(scope, { path: '/default-domain' }, grant), true);
});
afterAll(() => stocked.database.close());

const noBlobs = () => {
  throw new Error('these documents have no blobs');
};

/** Writes as a user, who is an administrator or not. */
function as<T>(id: string, write: (scope: Scope) => Promise<T>, isAdministrator = false): Promise<T> {
  const options = {
    ...({
      repository: 'default',
      versioning: 'NONE',
      source: undefined,
      comment: undefined,
      searchSync: false,
      keepsUploads: false,
      skipAggregates: false,
    } as const),
    ...({ timeout: undefined, baseUrl: '', address: '', language: 'en' } as const),
  };
  return stocked.database.transaction(30, (db) =>
    write({
      db,
      model,
      secrets,
      attempts,
      executing: createExecuting(stocked.database, { most: 1, onError: noBlobs }),
      options,
      user: { id, groups: [], isAdministrator },
      chief: 'Administrator',
      log: pino({ level: 'silent' }),
      usedUploads: new Set(),
      blobs: { write: noBlobs, file: noBlobs, renew: noBlobs, sweep: noBlobs },
    }),
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

describe('§2.1 what the server keeps, for users who are no administrators', () => {
  test.each(others)('%s cannot be given on create', async (xpath, value) => {
    const refused = create('ada', { [xpath]: value });
    await expect(refused).rejects.toThrow(Invalid);
    await expect(refused).rejects.toThrow(xpath);
  });

  test.each([...others, ...others.map(([xpath]): [string, unknown] => [xpath, null])])(
    '%s cannot become %j',
    async (xpath, value) => {
      const row = await create('ada');
      const refused = update('ada', row, { 'dc:title': 'A', [xpath]: value });
      await expect(refused).rejects.toThrow(Invalid);
      await expect(refused).rejects.toThrow(xpath);
    },
  );

  test('may be sent as it is, together with a change', async () => {
    const row = await create('ada');
    const changed = await update('ada', row, { ...row.properties, 'dc:title': 'A' });
    expect(changed).toMatchObject({ userToken: 1, properties: { 'dc:title': 'A', 'dc:creator': 'ada' } });
  });

  test('may be sent as null on create, which says nothing', async () => {
    const { properties } = await create('ada', { 'dc:creator': null, 'dc:contributors': [] });
    expect(properties).toMatchObject({ 'dc:creator': 'ada', 'dc:contributors': ['ada'] });
  });

  test('tells who wrote', async () => {
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

  test('tells nothing of a save that changes nothing', async () => {
    const row = await create('ada', { 'dc:title': 'A' });
    const { properties } = await update('bob', row, { 'dc:title': 'A' });
    expect(properties).toEqual(row.properties);
  });
});
