import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Enricher } from '../../src/enrichers/enricher.ts';
import { enrichers } from '../../src/enrichers/index.ts';
import type { DocumentRow } from '../../src/loaders/document-row.ts';
import type { TestServer } from '../support/server.ts';

/** An enricher that nobody but this test has: a text, and a document that it leads to. */
const parent: Enricher<DocumentRow> = {
  name: 'parentOrNone',
  field: (t) =>
    t.field({
      type: Document,
      nullable: true,
      resolve: ({ parentId }, _, { load }) => (parentId === null ? null : load.documentById.load(parentId)),
    }),
  select: ({ document }) => document,
};
const length: Enricher<DocumentRow> = {
  name: 'lengthOfName',
  field: (t) => t.int({ resolve: ({ name }) => name.length }),
  select: () => true,
};

// What the builder makes is made when the schema is loaded: the list comes first.
const { Document } = await import('../../src/schema/builder.ts');
(enrichers.document as Array<Enricher<DocumentRow>>).push(parent, length);

let server: TestServer;
beforeAll(async () => {
  const { start } = await import('../support/server.ts');
  server = await start();
});
afterAll(() => server.stop());

test('§9 an enricher is a file and an entry in the list', async () => {
  const headers = { 'enrichers.document': 'parentOrNone,lengthOfName', Prefer: 'handling=strict' };
  const { body } = await server.request
    .get('/api/v1/path/default-domain/workspaces')
    .set(headers)
    .expect(200);
  expect(body.contextParameters.lengthOfName).toBe('workspaces'.length);
  const above = body.contextParameters.parentOrNone;
  expect(above).toMatchObject({ path: '/default-domain', contextParameters: { lengthOfName: 14 } });
  expect(above.contextParameters.parentOrNone).toMatchObject({ path: '/' });
  expect(above.contextParameters.parentOrNone).not.toHaveProperty('contextParameters');
});
