import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { documentOperations } from '../../../src/automation/document-operations.ts';
import type { Prisma } from '../../../src/generated/prisma/client.ts';
import { createContext } from '../../../src/loaders/context.ts';
import { parseQuery } from '../../../src/query/parse.ts';
import { collectDocuments } from '../../../src/store/bulk/collect-documents.ts';
import { bulkEnded, bulkStatusOf, folderOfFiles, resumeBulk } from '../../support/bulk.ts';
import { readDocument } from '../../support/documents.ts';
import { testScope } from '../../support/scope.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const server = useServer();
let ids: string[];
let query: Prisma.InputJsonObject;

beforeAll(async () => {
  const { folder, files } = await folderOfFiles(server, 5);
  ids = files.map(({ uid }) => uid).toSorted();
  const parameters = { positional: [], named: {}, variables: { currentUser: '', currentRepository: '' } };
  query = parseQuery(
    `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}'`,
    parameters,
  ) as unknown as Prisma.InputJsonObject;
  await until(async () => (await server.searchIndex.catchUp(server.database)).isCaughtUp);
});

/** A command whose search has begun, which no job is for. */
const searching = (collected: readonly string[] = []) =>
  server.database.prisma.bulkCommand.create({
    data: {
      id: randomUUID(),
      repository: 'default',
      username: 'Administrator',
      action: 'setProperties',
      parameters: { 'dc:title': 'collected' },
      query,
      state: 'SCROLLING_RUNNING',
      collectedTo: collected.at(-1) ?? null,
      items: { create: collected.map((documentId) => ({ depth: 3, documentId })) },
    },
  });

/** Collects two documents. @returns those that are collected so far, and where the command is. */
async function collectTwo(id: string) {
  const { prisma } = server.database;
  const command = await prisma.bulkCommand.findUniqueOrThrow({ where: { id } });
  await server.database.transaction(30, (db) =>
    collectDocuments(createContext(testScope(db), documentOperations), command, 2),
  );
  const items = await prisma.bulkItem.findMany({ where: { commandId: id }, orderBy: { documentId: 'asc' } });
  const { state, total } = await bulkStatusOf(server.request, id);
  return { items: items.map(({ documentId }) => documentId), state, total };
}

// §4.7
describe('The search of a bulk action', () => {
  test('stores the documents in several transactions, and then starts to work on them', async () => {
    const { id } = await searching();
    const before = { state: 'SCROLLING_RUNNING', total: 0 };
    expect(await collectTwo(id)).toEqual({ ...before, items: ids.slice(0, 2) });
    expect(await collectTwo(id)).toEqual({ ...before, items: ids.slice(0, 4) });
    expect(await collectTwo(id)).toEqual({ items: ids, state: 'RUNNING', total: 5 });
  });

  test('starts to work when the last transaction was full', async () => {
    const { id } = await searching(ids.slice(0, 3));
    expect((await collectTwo(id)).state).toBe('SCROLLING_RUNNING');
    expect(await collectTwo(id)).toEqual({ items: ids, state: 'RUNNING', total: 5 });
  });

  test('ends between two transactions when it is aborted', async () => {
    const { id } = await searching();
    const { items } = await collectTwo(id);
    const { body } = await server.request.put(`/api/v1/bulk/${id}/abort`).expect(200);
    expect(body.state).toBe('ABORTED');
    await resumeBulk(server, id);
    await until(async () => (await server.database.prisma.job.count()) === 0);
    expect(items).toHaveLength(2);
    expect(await server.database.prisma.bulkItem.count({ where: { commandId: id } })).toBe(2);
  });

  test('continues where another process ended', async () => {
    const { id } = await searching(ids.slice(0, 2));
    await resumeBulk(server, id);
    expect(await bulkEnded(server.request, id)).toMatchObject({ state: 'COMPLETED', processed: 5, total: 5 });
    for (const uid of ids) expect((await readDocument(server.request, uid)).title).toBe('collected');
  });
});
