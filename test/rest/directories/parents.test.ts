import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, statements, type TestServer } from '../../support/server.ts';
import { at, createEntry, entry, fault } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const referenced = fault(409, 'This entry is referenced in another vocabulary.');
const fetching = (path: string, headers: Record<string, string> = {}) =>
  server.request.get(path).set({ 'fetch.directoryEntry': 'parent', ...headers });

describe('§4.5 DELETE of an entry that others have for a parent', () => {
  test.each([
    ['continent', 'europe'],
    ['topic', 'art'],
    ['l10nsubjects', 'art'],
    ['l10ncoverage', 'europe'],
  ])('%s: %s is 409, and stays', async (directory, id) => {
    expect((await server.request.delete(at(directory, id)).expect(409)).body).toMatchObject(referenced);
    await server.request.get(at(directory, id)).expect(200);
  });

  test('is done when the last of them is gone', async () => {
    const parent = await createEntry(server, 'continent');
    const child = await createEntry(server, 'country', { parent: parent.id });
    await server.request.delete(at('continent', parent.id)).expect(409);
    await server.request.delete(at('country', child.id)).expect(204);
    await server.request.delete(at('continent', parent.id)).expect(204);
  });

  test('is done when they have another parent', async () => {
    const parent = await createEntry(server, 'l10nsubjects');
    const child = await createEntry(server, 'l10nsubjects', { parent: parent.id });
    await server.request.delete(at('l10nsubjects', parent.id)).expect(409);
    const body = entry('l10nsubjects', { id: child.id, properties: { parent: '' } });
    await server.request.put(at('l10nsubjects', child.id)).send(body).expect(200);
    await server.request.delete(at('l10nsubjects', parent.id)).expect(204);
  });

  test('is done for an entry that only itself has for a parent', async () => {
    const { id } = await createEntry(server, 'l10nsubjects');
    const body = entry('l10nsubjects', { id, properties: { parent: id } });
    await server.request.put(at('l10nsubjects', id)).send(body).expect(200);
    await server.request.delete(at('l10nsubjects', id)).expect(204);
  });

  test('is not hindered by an entry of that id elsewhere', async () => {
    await createEntry(server, 'nature', { id: 'europe' });
    await server.request.delete(at('nature', 'europe')).expect(204);
  });

  test('and the making of a child at the same time leave no child without its parent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const parent = await createEntry(server, 'continent');
      const body = entry('country', { properties: { id: `child-${round}`, parent: parent.id } });
      const [made, gone] = await Promise.all([
        server.request.post(at('country')).send(body),
        server.request.delete(at('continent', parent.id)),
      ]);
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual([made.status, gone.status]);
    }
  });
});

describe('§4.5 a parent', () => {
  test('that is no entry of the parent directory: 422 on POST and PUT', async () => {
    const properties = { id: 'Atlantis', parent: 'nosuch' };
    const { body } = await server.request
      .post(at('country'))
      .send(entry('country', { properties }))
      .expect(422);
    expect(body.violations).toMatchObject([
      {
        invalid_value: 'nosuch',
        constraint: { name: 'directoryResolver', parameters: { directory: 'continent' } },
        path: [{ field_name: 'parent' }],
      },
    ]);
    const change = entry('country', { id: 'France', properties: { parent: 'nosuch' } });
    await server.request.put(at('country', 'France')).send(change).expect(422);
    expect((await server.request.get(at('country', 'France'))).body.properties.parent).toBe('europe');
  });

  test('that the stock content has and that is no entry, may stay', async () => {
    const { body } = await server.request.get(at('subtopic', 'astronomy')).expect(200);
    expect(body.properties.parent).toBe('sciences');
    await server.request.get(at('topic', 'sciences')).expect(404);
    const changed = { ...body, properties: { ...body.properties, ordering: 1 } };
    await server.request.put(at('subtopic', 'astronomy')).send(changed).expect(200);
  });

  test('may be empty or missing', async () => {
    expect((await createEntry(server, 'country', { parent: '' })).properties.parent).toBe('');
    expect((await createEntry(server, 'country', { parent: null })).properties.parent).toBeNull();
    expect((await createEntry(server, 'country')).properties.parent).toBeNull();
  });

  test('may be sent back as the entity that was fetched', async () => {
    const { body } = await fetching(at('country', 'France')).expect(200);
    expect(body.properties.parent).toMatchObject({ 'entity-type': 'directoryEntry', id: 'europe' });
    const response = await server.request.put(at('country', 'France')).send(body).expect(200);
    expect(response.body.properties.parent).toBe('europe');
  });
});

describe('§10 fetch.directoryEntry: parent', () => {
  const europe = {
    ...entry('continent', { id: 'europe' }),
    properties: {
      ...{ id: 'europe', label: 'label.directories.continent.europe' },
      ...{ obsolete: 0, ordering: 10_000_000 },
    },
  };

  test('puts the entity of the parent where its id stood, for one statement more', async () => {
    const [bare, fetched] = [
      await server.request.get(at('country', 'France')).expect(200),
      await fetching(at('country', 'France')).expect(200),
    ];
    expect(bare.body.properties.parent).toBe('europe');
    expect(fetched.body).toEqual({ ...bare.body, properties: { ...bare.body.properties, parent: europe } });
    expect(statements(fetched)).toBe(statements(bare) + 1);
  });

  test('also in lists, for one statement more, whatever their length', async () => {
    const cost = async (path: string) => statements(await server.request.get(path).expect(200));
    const [two, all] = [
      await fetching(`${at('country')}?pageSize=2`).expect(200),
      await fetching(at('country')).expect(200),
    ];
    expect(all.body.entries.length).toBeGreaterThan(240);
    const found = all.body.entries.find(({ id }: { id: string }) => id === 'France');
    expect(found.properties.parent).toEqual(europe);
    expect(statements(all)).toBe(statements(two));
    expect(statements(all)).toBe((await cost(at('country'))) + 1);
    expect(await cost(at('country'))).toBe(await cost(`${at('country')}?pageSize=2`));
  });

  test('also in the answers to writes', async () => {
    const properties = { id: 'Ruritania', parent: 'europe' };
    const made = await server.request
      .post(at('country'))
      .set('fetch.directoryEntry', 'parent')
      .send(entry('country', { properties }))
      .expect(201);
    expect(made.body.properties.parent).toEqual(europe);
  });

  test.each([
    ['that leads to nothing', 'subtopic', 'astronomy', 'sciences'],
    ['that is empty', 'l10nsubjects', 'art', ''],
  ])('an id %s stays as it is', async (_, directory, id, parent) => {
    expect((await fetching(at(directory, id)).expect(200)).body.properties.parent).toBe(parent);
  });

  test('says nothing of a directory without parents', async () => {
    const { body } = await fetching(at('nature', 'article')).expect(200);
    expect(Object.keys(body.properties)).toEqual(['id', 'label', 'obsolete', 'ordering']);
  });

  test('goes as deep as depth says, and there entities have their fixed fields', async () => {
    const ids = ['deep-0'];
    await createEntry(server, 'l10nsubjects', { id: 'deep-0' });
    for (let level = 1; level < 6; level += 1) {
      await createEntry(server, 'l10nsubjects', { id: `deep-${level}`, parent: `deep-${level - 1}` });
      ids.unshift(`deep-${level}`);
    }
    const shown = async (depth: string) => {
      const { body } = await fetching(at('l10nsubjects', 'deep-5'), { depth }).expect(200);
      const found: string[] = [];
      let next = body;
      for (; next?.properties; next = next.properties.parent) found.push(next.id);
      return { found, last: next };
    };
    expect(await shown('root')).toEqual({
      found: ids.slice(0, 1),
      last: entry('l10nsubjects', { id: 'deep-4' }),
    });
    expect(await shown('children')).toEqual({
      found: ids.slice(0, 2),
      last: entry('l10nsubjects', { id: 'deep-3' }),
    });
    expect(await shown('max')).toEqual({
      found: ids.slice(0, 4),
      last: entry('l10nsubjects', { id: 'deep-1' }),
    });
  });

  test.each(['fetch-directoryEntry', 'X-NXfetch.directoryEntry'])('is understood as %s', async (name) => {
    const { body } = await server.request.get(at('country', 'France')).set(name, 'parent').expect(200);
    expect(body.properties.parent).toEqual(europe);
  });

  test('other names are ignored, and refused under strict handling', async () => {
    const asked = () => server.request.get(at('country', 'France')).set('fetch.directoryEntry', 'children');
    expect((await asked().expect(200)).body.properties.parent).toBe('europe');
    const { body } = await asked().set('Prefer', 'handling=strict').expect(400);
    expect(body.message).toContain('children');
  });
});
