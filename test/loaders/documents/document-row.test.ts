import { describe, expect, test } from '@jest/globals';
import { Prisma } from '../../../src/generated/prisma/client.ts';
import {
  documentJsonStatement,
  documentStatement,
  queryJsonDocuments,
} from '../../../src/loaders/documents/document-row.ts';
import { isUuid } from '../../../src/model/names.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

describe('the columns of a document query', () => {
  const byId = documentStatement('test-document-by-id', 'WHERE d.id = $1::uuid');

  test('are exactly the fields of the Prisma model', async () => {
    const { uid } = await createDocument(server);
    const [row] = await server.database.query<Record<string, unknown>>(byId, [uid]);
    expect(Object.keys(row ?? {}).sort()).toEqual(Object.values(Prisma.DocumentScalarFieldEnum).sort());
  });

  test('have the same values as in Prisma, on the pool and in a transaction', async () => {
    const { uid } = await createDocument(server, {
      properties: {
        'dc:title': 'grüße',
        'dc:subjects': ['art/architecture'],
        'file:content': { content: 'x' },
      },
    });
    const fromPrisma = await server.database.prisma.document.findFirst({ where: { id: uid } });
    expect(await server.database.query(byId, [uid])).toEqual([fromPrisma]);
    const inside = await server.database.transaction(10, ({ query }) => query(byId, [uid]));
    expect(inside).toEqual([fromPrisma]);
  });

  test('have the same values when read as one JSON value, dates included', async () => {
    const { uid } = await createDocument(server, { properties: { 'dc:title': 'grüße "\\ \u2028' } });
    const moment = new Date('2026-02-03T04:05:06.789Z');
    const data = { lockOwner: 'ann', lockCreated: moment, versionCreated: moment };
    const fromPrisma = await server.database.prisma.document.update({
      where: { repository_id: { repository: 'default', id: uid } },
      data,
    });
    const one = documentJsonStatement('test-document-by-key', 'WHERE d.id = $1::uuid');
    expect(await queryJsonDocuments(server.database, one, [uid])).toEqual([fromPrisma]);
  });
});

describe('isUuid', () => {
  test.each(['01a1fcde-cce3-73ed-93e3-12c91367f589', '01A1FCDE-CCE3-73ED-93E3-12C91367F589'])(
    'accepts %s',
    (text) => {
      expect(isUuid(text)).toBe(true);
    },
  );

  test.each([
    '',
    'x',
    '01a1fcde-cce3-73ed-93e3-12c91367f58',
    '01a1fcdecce373ed93e312c91367f589',
    '{01a1fcde-cce3-73ed-93e3-12c91367f589}',
    ' 01a1fcde-cce3-73ed-93e3-12c91367f589',
    '01a1fcde-cce3-73ed-93e3-12c91367f589\n',
    '01a1fcde-cce3-73ed-93e3-12c91367f58g',
  ])('refuses %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
