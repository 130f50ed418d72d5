/** @group own-modules */
import { expect, test } from '@jest/globals';
import type { Enricher } from '../../src/enrichers/enricher.ts';
import { enrichers } from '../../src/enrichers/index.ts';
import type { DocumentRow } from '../../src/loaders/documents/document-row.ts';

/** Two enrichers of this test: the parent of a document, and the length of its name. */
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

// Loading the schema builds it from the list, so the list is extended before that.
const { Document } = await import('../../src/graphql/builder.ts');
(enrichers.document as Array<Enricher<DocumentRow>>).push(parent, length);
const { useServer } = await import('../support/server.ts');
const server = useServer();

test('§9 an entry in the list contributes an enricher', async () => {
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
