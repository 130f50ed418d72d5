import { beforeAll, describe, expect, test } from '@jest/globals';
import { newMeter } from '../../../src/db/meter.ts';
import { createLoaders } from '../../../src/loaders/index.ts';
import type { Query } from '../../../src/query/ast.ts';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { testScope } from '../../support/scope.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();
/** Folders with two files each; in the first three, ann can read only one of them. */
let folders: DocumentEntity[];

beforeAll(async () => {
  const { path: parent } = await createDocument(server, { type: 'Folder' });
  folders = [];
  for (let index = 0; index < 50; index += 1) {
    const folder = await createDocument(server, { type: 'Folder', parent, name: `f${index}` });
    const properties = { 'dc:title': `report ${index}`, 'dc:source': 'paper' };
    await createDocument(server, { parent: folder.path, name: 'read', properties });
    const hidden = { 'dc:title': `secret report ${index}` };
    await createDocument(server, { parent: folder.path, name: 'hidden', properties: hidden });
    if (index < 3) await setAcl(server, `${folder.path}/hidden`, only('Administrator', 'Everything'));
    folders.push(folder);
  }
});

type Page = { readonly resultsCount: number; readonly entries: ReadonlyArray<{ readonly path: string }> };

/** Queries one page in each of the first `count` folders; returns the pages and the number of statements. */
async function ask(count: number, field: string): Promise<{ pages: Page[]; cost: number }> {
  const query = `query ($ids: [ID!]!) { documents(ids: $ids) { page: ${field} } }`;
  const ids = folders.slice(0, count).map(({ uid }) => uid);
  const response = await server.request.post('/graphql').send({ query, variables: { ids } }).expect(200);
  expect(response.body.errors).toBeUndefined();
  const documents: Array<{ page: Page }> = response.body.data.documents;
  return { pages: documents.map(({ page }) => page), cost: statements(response) };
}

const shown = '{ resultsCount entries { path } }';
const pathsIn = (pages: readonly Page[]) => pages.map(({ entries }) => entries.map(({ path }) => path));
const files = (...names: string[]) => folders.map((folder) => names.map((name) => `${folder.path}/${name}`));

describe('Searches of several documents in one request', () => {
  test.each<[string, string, () => string[][]]>([
    [
      'words below each',
      `search(fullText: "report", orderBy: ["dc:title"]) ${shown}`,
      () => files('read', 'hidden'),
    ],
    [
      'one query for all',
      `search(query: "SELECT * FROM File WHERE dc:title = 'report 7'") ${shown}`,
      () => folders.map(() => [`${folders[7]?.path}/read`]),
    ],
    [
      'a page provider',
      `provided(provider: "document_content", sortBy: ["dc:title"], sortOrder: ["desc"]) ${shown}`,
      () => files('hidden', 'read'),
    ],
    [
      'a page provider of members',
      `provided(provider: "ordered_content_collection") ${shown}`,
      () => files(),
    ],
  ])('by %s cost as many statements for 50 documents as for 2', async (_, field, expected) => {
    const [few, many] = [await ask(2, field), await ask(50, field)];
    expect(pathsIn(many.pages)).toEqual(expected());
    expect(pathsIn(few.pages)).toEqual(expected().slice(0, 2));
    expect(many.pages.map(({ resultsCount }) => resultsCount)).toEqual(
      expected().map(({ length }) => length),
    );
    expect(many.cost).toBe(few.cost);
    expect(many.cost).toBeLessThanOrEqual(3);
  });

  test('with different aggregates cost as many statements for 20 documents as for 2', async () => {
    type Buckets = { aggregations: Array<{ buckets: Array<{ docCount: number }> }> };
    const count = async (number: number) => {
      const fields = folders.slice(0, number).map(
        ({ uid }, index) => `f${index}: document(id: "${uid}") {
          provided(provider: "advanced_document_content", parameters: {ecm_parentId: "${uid}"}, pageSize: 1) {
            aggregations { buckets { docCount } }
          }
        }`,
      );
      const response = await server.request.post('/graphql').send({ query: `{ ${fields.join(' ')} }` });
      const found: Array<{ provided: Buckets }> = Object.values(response.body.data);
      for (const { provided } of found) expect(provided.aggregations[0]?.buckets).toEqual([{ docCount: 2 }]); // both files have one contributor
      return statements(response);
    };
    expect(await count(20)).toBe(await count(2));
  });
});

describe('Searches of one tick', () => {
  const all = { pageSize: 0, offset: 0, maxResults: undefined, sortBy: ['dc:title'], sortOrder: ['asc'] };
  const below = (prefix: string): Query => ({
    select: '*',
    from: ['File'],
    where: { kind: 'startsWith', property: 'ecm:path', prefix },
    orderBy: [],
  });

  test('list what the caller can read, and fail separately', async () => {
    const meter = newMeter();
    const user = { id: 'ann', groups: ['members'], isAdministrator: false };
    await createLoaders(testScope(server.database, { user })).search(below('/'), all); // ACLs are known then
    const load = createLoaders(testScope(server.database.metered(meter), { user }));
    const odd: Query = { ...below('/'), from: ['Odd'] };
    const queries = [...folders.slice(0, 5).map(({ path }) => below(path)), odd];
    const results = await Promise.allSettled(queries.map((query) => load.search(query, all)));
    const names = results.map((result) =>
      result.status === 'rejected' ? String(result.reason) : result.value.rows.map(({ name }) => name),
    );
    expect(names).toEqual([
      ['read'],
      ['read'],
      ['read'],
      ['read', 'hidden'],
      ['read', 'hidden'],
      'QueryFault: query: Type: Odd does not exist. GET /api/v1/config/types lists the types.',
    ]);
    expect(meter.statements).toBe(3); // before it one brings the index up to date, and one finds ACLs
  });
});
