import { beforeAll, describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';
import { atDirectory, createEntry, entryBody } from '../directories/directory-requests.ts';

const server = useServer();
beforeAll(async () => {
  await server.request.get('/api/v1/me').expect(200); // verifies the password, which costs a statement once
});
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

  test('is limited by depth; entities below it have their fixed fields only', async () => {
    const ids = ['deep-0'];
    await createEntry(server, 'l10nsubjects', { id: 'deep-0' });
    for (let level = 1; level < 6; level += 1) {
      await createEntry(server, 'l10nsubjects', { id: `deep-${level}`, parent: `deep-${level - 1}` });
      ids.unshift(`deep-${level}`);
    }
    const shown = async (depth: string) => {
      const { body } = await fetching(atDirectory('l10nsubjects', 'deep-5'), { depth }).expect(200);
      const found: string[] = [];
      let next = body;
      for (; next?.properties; next = next.properties.parent) found.push(next.id);
      return { found, last: next };
    };
    expect(await shown('root')).toEqual({
      found: ids.slice(0, 1),
      last: entryBody('l10nsubjects', { id: 'deep-4' }),
    });
    expect(await shown('children')).toEqual({
      found: ids.slice(0, 2),
      last: entryBody('l10nsubjects', { id: 'deep-3' }),
    });
    expect(await shown('max')).toEqual({
      found: ids.slice(0, 4),
      last: entryBody('l10nsubjects', { id: 'deep-1' }),
    });
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
});
