import { beforeAll, describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, workspaces } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { atDirectory, createEntry, entryBody } from '../directories/directory-requests.ts';

const server = useServer();
beforeAll(async () => {
  await server.request.get('/api/v1/me').expect(200); // verifies the password, which costs a statement once
});

interface Entry {
  readonly id: string;
  readonly properties: { readonly parent?: Entry | string | null };
}

const fetching = (path: string, headers: Record<string, string> = {}) =>
  server.request.get(path).set({ 'fetch.directoryEntry': 'parent', ...headers });

describe('§10 fetch.directoryEntry: parent', () => {
  const europe = {
    ...entryBody('continent', { id: 'europe' }),
    properties: {
      id: 'europe',
      label: 'label.directories.continent.europe',
      obsolete: 0,
      ordering: 10_000_000,
    },
  };

  test('replaces the id of the parent by its entity, with one additional SQL statement', async () => {
    const [bare, fetched] = [
      await server.request.get(atDirectory('country', 'France')).expect(200),
      await fetching(atDirectory('country', 'France')).expect(200),
    ];
    expect(bare.body.properties.parent).toBe('europe');
    expect(fetched.body).toEqual({ ...bare.body, properties: { ...bare.body.properties, parent: europe } });
    expect(statements(fetched)).toBe(statements(bare) + 1);
  });

  test('works in lists, with one additional SQL statement for any length', async () => {
    const cost = async (path: string) => statements(await server.request.get(path).expect(200));
    const [two, all] = [
      await fetching(`${atDirectory('country')}?pageSize=2`).expect(200),
      await fetching(atDirectory('country')).expect(200),
    ];
    expect(all.body.entries.length).toBeGreaterThan(240);
    const found = all.body.entries.find(({ id }: { id: string }) => id === 'France');
    expect(found.properties.parent).toEqual(europe);
    expect(statements(all)).toBe(statements(two));
    expect(statements(all)).toBe((await cost(atDirectory('country'))) + 1);
    expect(await cost(atDirectory('country'))).toBe(await cost(`${atDirectory('country')}?pageSize=2`));
  });

  test('works in the answers to writes', async () => {
    const properties = { id: 'Ruritania', parent: 'europe' };
    const made = await server.request
      .post(atDirectory('country'))
      .set('fetch.directoryEntry', 'parent')
      .send(entryBody('country', { properties }))
      .expect(201);
    expect(made.body.properties.parent).toEqual(europe);
  });

  test.each([
    ['of a missing entry', 'subtopic', 'astronomy', 'sciences'],
    ['that is empty', 'l10nsubjects', 'art', ''],
  ])('leaves an id %s unchanged', async (_, directory, id, parent) => {
    expect((await fetching(atDirectory(directory, id)).expect(200)).body.properties.parent).toBe(parent);
  });

  test('adds nothing in a directory without parents', async () => {
    const { body } = await fetching(atDirectory('nature', 'article')).expect(200);
    expect(Object.keys(body.properties)).toEqual(['id', 'label', 'obsolete', 'ordering']);
  });

  /** The ids of an entry and of all entities above it, and the `parent` of the last. */
  const chainOf = (entry: Entry): { ids: string[]; last: unknown } => {
    const ids: string[] = [];
    let next: unknown = entry;
    for (; next !== null && typeof next === 'object'; next = (next as Entry).properties.parent)
      ids.push((next as Entry).id);
    return { ids, last: next };
  };

  /** Entries of l10nsubjects, the first of which has no parent, and each other the one before. */
  const createChain = async (name: string, length: number): Promise<string[]> => {
    const ids = Array.from({ length }, (_, level) => `${name}-${level}`);
    for (const [level, id] of ids.entries())
      await createEntry(server, 'l10nsubjects', { id, ...(level > 0 && { parent: ids[level - 1] }) });
    return ids.reverse();
  };

  test('goes up to the top whatever the depth, and every entity has its properties', async () => {
    const ids = await createChain('deep', 6);
    for (const depth of ['root', 'children', 'max']) {
      const { body } = await fetching(atDirectory('l10nsubjects', 'deep-5'), { depth }).expect(200);
      expect(chainOf(body)).toEqual({ ids, last: null });
    }
  });

  test('costs a statement for each level above an entry, and no more for a list', async () => {
    await createChain('high', 4);
    const bare = statements(await server.request.get(atDirectory('l10nsubjects', 'high-3')).expect(200));
    const one = await fetching(atDirectory('l10nsubjects', 'high-3')).expect(200);
    expect(statements(one)).toBe(bare + 3);
    const all = await fetching(atDirectory('l10nsubjects')).expect(200);
    expect(all.body.entries.length).toBeGreaterThan(60);
    expect(statements(all)).toBeLessThanOrEqual(bare + 3);
  });

  test('ends after 16 parents with a plain id', async () => {
    const ids = await createChain('endless', 20);
    const { body } = await fetching(atDirectory('l10nsubjects', 'endless-19')).expect(200);
    expect(chainOf(body)).toEqual({ ids: ids.slice(0, 17), last: 'endless-2' });
  });

  test.each([1, 2, 3])('ends with a plain id where %i entries are parents in a circle', async (length) => {
    const name = `circle${length}`;
    const [last = '', ...others] = await createChain(name, length);
    const first = others.at(-1) ?? last;
    // As before the server refused to make an entry its own ancestor.
    await server.database.prisma.directoryEntry.updateMany({
      where: { directory: 'l10nsubjects', id: first },
      data: { properties: { parent: last } },
    });
    const { body } = await fetching(atDirectory('l10nsubjects', last)).expect(200);
    expect(chainOf(body)).toEqual({ ids: [last, ...others], last });
  });

  test('is needed: without it a parent is a plain id', async () => {
    const { body } = await server.request.get(atDirectory('l10nsubjects', 'deep-5')).expect(200);
    expect(body.properties.parent).toBe('deep-4');
  });

  const createTagged = async (count: number): Promise<string[]> => {
    const made = Array.from({ length: count }, () =>
      createDocument(server, {
        properties: { 'dc:subjects': ['art/cinema', 'technology/it'], 'dc:coverage': 'europe/France' },
      }),
    );
    return (await Promise.all(made)).map(({ uid }) => uid);
  };

  test.each(['fetch.directoryEntry', 'fetch-directoryentry', 'X-NXfetch.directoryEntry'])(
    'applies to entries in documents (%s), at every depth',
    async (name) => {
      const [id = ''] = await createTagged(1);
      for (const depth of ['children', 'max']) {
        const { body } = await server.request
          .get(atId(id))
          .set({ 'X-NXproperties': '*', 'fetch.document': 'properties', [name]: 'parent', depth })
          .expect(200);
        const { 'dc:subjects': subjects, 'dc:coverage': coverage } = body.properties;
        expect(subjects.map(chainOf)).toEqual([
          { ids: ['cinema', 'art'], last: '' },
          { ids: ['it', 'technology'], last: '' },
        ]);
        expect(subjects[0].properties.parent).toMatchObject({
          'entity-type': 'directoryEntry',
          directoryName: 'l10nsubjects',
          properties: { label_en: 'Art' },
        });
        expect(coverage.map(chainOf)).toEqual([{ ids: ['France', 'europe'], last: '' }]);
      }
    },
  );

  test('costs the same for any number of documents', async () => {
    await createTagged(5);
    const cost = async (pageSize: number) => {
      const listed = await server.request
        .get(`${atPath(workspaces)}/@children?pageSize=${pageSize}`)
        .set({ 'fetch.document': 'properties', 'fetch.directoryEntry': 'parent' })
        .expect(200);
      expect(listed.body.entries).toHaveLength(pageSize);
      return statements(listed);
    };
    await cost(1);
    expect(await cost(5)).toBe(await cost(1));
  });

  test.each(['fetch-directoryEntry', 'X-NXfetch.directoryEntry'])('is accepted as %s', async (name) => {
    const { body } = await server.request
      .get(atDirectory('country', 'France'))
      .set(name, 'parent')
      .expect(200);
    expect(body.properties.parent).toEqual(europe);
  });

  test('ignores other names, and answers 400 to them with handling=strict', async () => {
    const asked = () =>
      server.request.get(atDirectory('country', 'France')).set('fetch.directoryEntry', 'children');
    expect((await asked().expect(200)).body.properties.parent).toBe('europe');
    const { body } = await asked().set('Prefer', 'handling=strict').expect(400);
    expect(body.message).toContain('children');
  });

  test('is the list of ancestors in GraphQL, the nearest first', async () => {
    const query = '{ directoryEntry(directory: "l10ncoverage", id: "France") { ancestors { id } } }';
    expect(await askGraphql(server.request, query)).toEqual({
      directoryEntry: { ancestors: [{ id: 'europe' }] },
    });
  });
});
