import { describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { atDirectory, createEntry, entryBody } from './directory-requests.ts';

const server = useServer();

const referenced = exception(409, 'This entry is referenced in another vocabulary.');
const fetching = (path: string, headers: Record<string, string> = {}) =>
  server.request.get(path).set({ 'fetch.directoryEntry': 'parent', ...headers });

describe('§4.5 DELETE of an entry that is a parent of others', () => {
  test.each([
    ['continent', 'europe'],
    ['topic', 'art'],
    ['l10nsubjects', 'art'],
    ['l10ncoverage', 'europe'],
  ])('answers 409 and keeps the entry: %s: %s', async (directory, id) => {
    expect((await server.request.delete(atDirectory(directory, id)).expect(409)).body).toMatchObject(
      referenced,
    );
    await server.request.get(atDirectory(directory, id)).expect(200);
  });

  test('succeeds when the last child is deleted', async () => {
    const parent = await createEntry(server, 'continent');
    const child = await createEntry(server, 'country', { parent: parent.id });
    await server.request.delete(atDirectory('continent', parent.id)).expect(409);
    await server.request.delete(atDirectory('country', child.id)).expect(204);
    await server.request.delete(atDirectory('continent', parent.id)).expect(204);
  });

  test('succeeds when the children have another parent', async () => {
    const parent = await createEntry(server, 'l10nsubjects');
    const child = await createEntry(server, 'l10nsubjects', { parent: parent.id });
    await server.request.delete(atDirectory('l10nsubjects', parent.id)).expect(409);
    const body = entryBody('l10nsubjects', { id: child.id, properties: { parent: '' } });
    await server.request.put(atDirectory('l10nsubjects', child.id)).send(body).expect(200);
    await server.request.delete(atDirectory('l10nsubjects', parent.id)).expect(204);
  });

  test('succeeds for an entry that became its own parent before that was refused', async () => {
    const { id } = await createEntry(server, 'l10nsubjects');
    await server.database.prisma.directoryEntry.updateMany({
      where: { directory: 'l10nsubjects', id },
      data: { properties: { parent: id } },
    });
    await server.request.delete(atDirectory('l10nsubjects', id)).expect(204);
  });

  test('ignores children of an entry with the same id in another directory', async () => {
    await createEntry(server, 'nature', { id: 'europe' });
    await server.request.delete(atDirectory('nature', 'europe')).expect(204);
  });

  test('never leaves a concurrently created child without a parent', async () => {
    for (let round = 0; round < 5; round += 1) {
      const parent = await createEntry(server, 'continent');
      const body = entryBody('country', { properties: { id: `child-${round}`, parent: parent.id } });
      const [made, gone] = await Promise.all([
        server.request.post(atDirectory('country')).send(body),
        server.request.delete(atDirectory('continent', parent.id)),
      ]);
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual([made.status, gone.status]);
    }
  });
});

describe('§4.5 the parent of an entry', () => {
  test('answers 400 when the entry would be its own ancestor', async () => {
    const [top, middle, bottom] = [
      await createEntry(server, 'l10nsubjects'),
      await createEntry(server, 'l10nsubjects'),
      await createEntry(server, 'l10nsubjects'),
    ];
    const move = (id: string, parent: string) =>
      server.request
        .put(atDirectory('l10nsubjects', id))
        .send(entryBody('l10nsubjects', { id, properties: { parent } }));
    await move(middle.id, top.id).expect(200);
    await move(bottom.id, middle.id).expect(200);
    for (const [id, parent] of [
      [top.id, top.id],
      [top.id, middle.id],
      [top.id, bottom.id],
    ] as const) {
      const { body } = await move(id, parent).expect(400);
      expect(body.message).toBe(`parent: ${id} would be its own ancestor.`);
    }
    await move(bottom.id, top.id).expect(200);
    await move(middle.id, bottom.id).expect(200);
  });

  test('answers 422 on POST and PUT when it is not in the parent directory', async () => {
    const properties = { id: 'Atlantis', parent: 'nosuch' };
    const { body } = await server.request
      .post(atDirectory('country'))
      .send(entryBody('country', { properties }))
      .expect(422);
    expect(body.violations).toMatchObject([
      {
        invalid_value: 'nosuch',
        constraint: { name: 'directoryResolver', parameters: { directory: 'continent' } },
        path: [{ field_name: 'parent' }],
      },
    ]);
    const change = entryBody('country', { id: 'France', properties: { parent: 'nosuch' } });
    await server.request.put(atDirectory('country', 'France')).send(change).expect(422);
    expect((await server.request.get(atDirectory('country', 'France'))).body.properties.parent).toBe(
      'europe',
    );
  });

  test('may stay unchanged when the stock content refers to a missing entry', async () => {
    const { body } = await server.request.get(atDirectory('subtopic', 'astronomy')).expect(200);
    expect(body.properties.parent).toBe('sciences');
    await server.request.get(atDirectory('topic', 'sciences')).expect(404);
    const changed = { ...body, properties: { ...body.properties, ordering: 1 } };
    await server.request.put(atDirectory('subtopic', 'astronomy')).send(changed).expect(200);
  });

  test('may be empty or missing', async () => {
    expect((await createEntry(server, 'country', { parent: '' })).properties.parent).toBe('');
    expect((await createEntry(server, 'country', { parent: null })).properties.parent).toBeNull();
    expect((await createEntry(server, 'country')).properties.parent).toBeNull();
  });

  test('may be sent back as a fetched entity', async () => {
    const { body } = await fetching(atDirectory('country', 'France')).expect(200);
    expect(body.properties.parent).toMatchObject({ 'entity-type': 'directoryEntry', id: 'europe' });
    const response = await server.request.put(atDirectory('country', 'France')).send(body).expect(200);
    expect(response.body.properties.parent).toBe('europe');
  });
});
