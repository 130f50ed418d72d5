import { expect, test } from '@jest/globals';
import { documentOperations } from '../../../src/automation/document-operations.ts';
import { newMeter } from '../../../src/db/meter.ts';
import { createContext } from '../../../src/loaders/context.ts';
import { bulkActionNamed } from '../../../src/store/bulk/actions/index.ts';
import type { ChangeAction } from '../../../src/store/bulk/bulk-action.ts';
import { changeDocuments } from '../../../src/store/bulk/change-documents.ts';
import { createDocument, readDocument } from '../../support/documents.ts';
import { testScope } from '../../support/scope.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

/** What a slice of so many new documents costs, and what became of them. */
async function slice(action: string, parameters: object, { count, end }: { count: number; end: number }) {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await createDocument(server)).uid);
  const meter = newMeter();
  const results = await server.database
    .metered(meter)
    .transaction(30, (db) =>
      changeDocuments(
        createContext(testScope(db), documentOperations),
        bulkActionNamed(action) as ChangeAction,
        parameters,
        { ids, end },
      ),
    );
  return { ids, results, statements: meter.statements };
}

const rename = {
  operationId: 'Document.SetProperty',
  parameters: { xpath: 'dc:title', value: 'in a slice' },
};

test('a slice that runs out of time changes one document and leaves the others to the next slice', async () => {
  const { ids, results } = await slice('automation', rename, { count: 3, end: 0 });
  expect(results).toEqual({ done: [ids[0]], failed: [], skipped: 0 });
  const titles = await Promise.all(ids.map(async (id) => (await readDocument(server.request, id)).title));
  expect(titles.map((title) => title === 'in a slice')).toEqual([true, false, false]);
});

test('documents that are changed together are not limited by the time of a slice', async () => {
  const { ids, results } = await slice('setProperties', { 'dc:title': 'x' }, { count: 3, end: 0 });
  expect(results.done.toSorted()).toEqual(ids.toSorted());
});

test('a document that a slice cannot change leaves no savepoint open', async () => {
  const { uid } = await createDocument(server);
  const refused = { ...rename, parameters: { xpath: 'dc:created', value: 'never' } };
  const left = server.database.transaction(30, async (db) => {
    const context = createContext(testScope(db), documentOperations);
    const given = { ids: [uid], end: Number.POSITIVE_INFINITY };
    const { failed } = await changeDocuments(
      context,
      bulkActionNamed('automation') as ChangeAction,
      refused,
      given,
    );
    expect(failed).toEqual([[uid, expect.stringContaining('dc:created'), {}]]);
    await db.query({ name: '', text: 'RELEASE SAVEPOINT bulk_item' }, []);
  });
  await expect(left).rejects.toThrow(/savepoint "bulk_item" does not exist/);
});

test('an operation costs the same number of statements for each document, and no others', async () => {
  const end = Number.POSITIVE_INFINITY;
  const cost = async (count: number) => (await slice('automation', rename, { count, end })).statements;
  const [two, four, eight] = [await cost(2), await cost(4), await cost(8)];
  const each = (four - two) / 2;
  expect(eight - four).toBe(4 * each);
  expect(two).toBe(2 * each);
});
