/** @group slow, long */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { statement } from '../../src/db/statement.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';

interface Enriched extends DocumentEntity {
  readonly contextParameters?: { children: { entries: Enriched[]; resultsCount?: number } };
}

const server = useServer();
/** A folder in a folder, five deep. */
const chain: DocumentEntity[] = [];
beforeAll(async () => {
  for (let level = 0; level < 6; level += 1) {
    const parent = chain.at(-1)?.path ?? '/default-domain/workspaces';
    chain.push(await createDocument(server, { parent, type: 'Folder', name: `level-${level}` }));
  }
});

const get = async (address: string, headers: Record<string, string>) =>
  (await server.request.get(`/api/v1${address}`).set(headers).expect(200)).body;

/** The levels of an answer from the top down, following the first child of each. */
function levelsOf(document: Enriched): Enriched[] {
  const [first] = document.contextParameters?.children.entries ?? [];
  return [document, ...(first ? levelsOf(first) : [])];
}

describe('§9 depth', () => {
  test.each([
    ['root', 0],
    ['children', 1],
    [undefined, 1],
    ['max', 3],
  ])('%s shapes %i nested levels', async (depth, shaped) => {
    const headers = {
      'enrichers.document': 'children',
      'fetch.document': 'dc:creator',
      properties: 'dublincore',
      ...(depth !== undefined && { depth }),
    };
    const levels = levelsOf(await get(`/id/${chain[0]?.uid}`, headers));
    expect(levels.map(({ name }) => name)).toEqual(
      chain.slice(0, shaped + 2).map(({ name }) => name), // the addressed one, the shaped ones, and one with fixed fields
    );
    for (const { properties } of levels.slice(0, -1))
      expect(properties['dc:creator']).toMatchObject({ 'entity-type': 'user', id: 'Administrator' });
    const last = levels.at(-1);
    expect(last).not.toHaveProperty('properties');
    expect(last).not.toHaveProperty('contextParameters');
    expect(last).toMatchObject({ 'entity-type': 'document', type: 'Folder', facets: ['Folderish', 'NXTag'] });
  });

  test('leaves fixed fields only in entities inside the deepest shaped documents', async () => {
    const headers = { 'enrichers.document': 'children', 'fetch.document': 'dc:creator' };
    const levels = levelsOf(await get(`/id/${chain[0]?.uid}`, headers));
    expect(levels[0]?.properties['dc:creator']).toHaveProperty('properties');
    expect(levels[1]?.properties['dc:creator']).not.toHaveProperty('properties');
  });

  test('of a list counts from its entries', async () => {
    const headers = { 'enrichers.document': 'children', depth: 'root' };
    const { entries } = await get(`/id/${chain[0]?.uid}/@children`, headers);
    expect(entries[0].properties['dc:title']).toBeNull();
    expect(entries[0].contextParameters.children.entries[0]).not.toHaveProperty('properties');
  });
});

describe('§8 documents inside an enricher', () => {
  /** A folder with `count` documents, which are written to the database directly. */
  async function folderOf(count: number, parent?: string): Promise<DocumentEntity> {
    const folder = await createDocument(server, { type: 'Folder', ...(parent !== undefined && { parent }) });
    const child = await createDocument(server, { parent: folder.path });
    await server.database.query(
      statement('copies-of-a-child')`
        INSERT INTO document SELECT (jsonb_populate_record(d, jsonb_build_object(
          'id', gen_random_uuid(), 'name', 'more-' || n, 'title', 'more-' || n, 'path', $2 || '/more-' || n,
          'properties', '{}'::jsonb))).*
        FROM document d, generate_series(1, $3::int) AS n WHERE d.id = $1::uuid`,
      [child.uid, folder.path, count - 1],
    );
    return folder;
  }

  test('are at most 10,000 in the addressed document and 1,000 elsewhere, with the number of all', async () => {
    const folder = await folderOf(10_002);
    const headers = { 'enrichers.document': 'children', depth: 'root' };
    const { contextParameters } = await get(`/id/${folder.uid}`, headers);
    expect(contextParameters.children.entries).toHaveLength(10_000);
    expect(contextParameters.children.resultsCount).toBe(-2); // more than SEARCH_COUNT_LIMIT

    const above = await createDocument(server, { type: 'Folder' });
    const inner = await folderOf(1_002, above.path);
    const list = await get(`/id/${above.uid}/@children`, headers);
    const deep = await get(`/id/${above.uid}`, { ...headers, depth: 'children' });
    for (const document of [list.entries[0], deep.contextParameters.children.entries[0]]) {
      expect(document.uid).toBe(inner.uid);
      expect(document.contextParameters.children.entries).toHaveLength(1_000);
      expect(document.contextParameters.children.resultsCount).toBe(1_002);
    }
    const whole = await get(`/id/${inner.uid}`, headers);
    expect(whole.contextParameters.children.entries).toHaveLength(1_002);
    expect(whole.contextParameters.children).not.toHaveProperty('resultsCount');
  });

  test('are at most 20,000 in one answer', async () => {
    const folder = await folderOf(900);
    const headers = {
      'enrichers.document': 'breadcrumb,children',
      depth: 'max',
      pageSize: '1000',
      properties: 'uid', // short documents, so that their number is reached before the bytes of an answer
    };
    const response = await server.request
      .get(`/api/v1/id/${folder.uid}/@children?pageSize=1000`)
      .set(headers)
      .expect(200);
    const shown = response.text.split('"entity-type":"document"').length - 1 - 900;
    // The lists of the answer are cut by its bytes, or by the number of their documents, whichever comes first.
    expect(shown).toBeGreaterThan(10_000);
    expect(shown).toBeLessThanOrEqual(20_000);
    expect(response.body.entries).toHaveLength(900); // a long list is written in several chunks
    const counts = response.text.match(/"resultsCount":/g) ?? [];
    expect(counts.length).toBeGreaterThan(1);
  });

  test('leave their ids, and null, where there would be more than 20,000', async () => {
    const folder = await folderOf(900);
    const where = { parentId: folder.uid };
    await server.database.prisma.document.updateMany({ where, data: { facets: ['CollectionMember'] } });
    const members = await server.database.prisma.document.findMany({ where });
    const collections: string[] = [];
    for (let index = 0; index < 25; index += 1)
      collections.push((await createDocument(server, { type: 'Collection' })).uid);
    await server.database.prisma.collectionMember.createMany({
      data: collections.flatMap((collectionId) =>
        members.map(({ repository, id }, position) => ({ repository, collectionId, memberId: id, position })),
      ),
    });
    const { entries } = await get(`/id/${folder.uid}/@children?pageSize=1000`, {
      'enrichers.document': 'firstAccessibleAncestor',
      'fetch.document': 'collectionMember:collectionIds',
      properties: 'collectionMember',
      depth: 'root',
    });
    const idsOf = ({ properties }: DocumentEntity) =>
      properties['collectionMember:collectionIds'] as Array<string | DocumentEntity>;
    const ids = (entries as DocumentEntity[]).flatMap(idsOf);
    expect(ids).toHaveLength(22_500);
    expect(ids.filter((id) => typeof id === 'string').length).toBeGreaterThan(2000);
    const known = new Set(collections);
    expect(ids.filter((id) => !known.has(typeof id === 'string' ? id : id?.uid))).toEqual([]);
    const above = (entries as Enriched[]).map(({ contextParameters }) => contextParameters);
    expect(above[0]).toMatchObject({ firstAccessibleAncestor: { uid: folder.uid } });
    expect(above.at(-1)).toEqual({ firstAccessibleAncestor: null });
  });
});
