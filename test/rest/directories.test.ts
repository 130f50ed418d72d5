import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, statements, type TestServer } from '../support/server.ts';
import { at, createEntry, entry, fault, newId } from './directories/requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const nobody = 'nosuch';
const words = (...parts: string[]) => expect.stringMatching(new RegExp(parts.join('.*'), 's'));

describe('§4.5 GET /directory', () => {
  test('answers 200 and every directory as an entity', async () => {
    const { body } = await server.request.get('/api/v1/directory').expect(200);
    expect(Object.keys(body)).toEqual(['entity-type', 'entries']);
    expect(body['entity-type']).toBe('directories');
    const byName = Object.fromEntries(body.entries.map((one: { name: string }) => [one.name, one]));
    expect(byName.country).toEqual({
      'entity-type': 'directory',
      name: 'country',
      schema: 'xvocabulary',
      idField: 'id',
      parent: 'continent',
    });
    expect(byName.nature).toMatchObject({ schema: 'vocabulary', parent: null });
    expect(byName.groupDirectory).toMatchObject({ schema: 'group', idField: 'groupname' });
  });
});

describe('§4.5 GET /directory/DIRECTORY_ID', () => {
  test('answers 200 and the entries, paged', async () => {
    const response = await server.request.get(at('continent')).expect(200);
    expect(response.body).toMatchObject({
      'entity-type': 'directoryEntries',
      resultsCount: 7,
      pageSize: 1000,
      isSortable: false,
    });
    expect(response.body).not.toHaveProperty('totalSize');
    expect(response.body.entries).toHaveLength(7);
    expect(response.body.entries[0]).toEqual({
      'entity-type': 'directoryEntry',
      directoryName: 'continent',
      id: 'africa',
      properties: {
        id: 'africa',
        label: 'label.directories.continent.africa',
        obsolete: 0,
        ordering: 10_000_000,
      },
    });
    expect(response.headers['content-type']).toContain('nuxeo-entity=directoryEntries');
  });

  test('answers 204 without a body where there is no directory', async () => {
    for (const name of [nobody, 'Nature', '__proto__', 'constructor', 'a/b']) {
      const response = await server.request.get(at(name)).expect(204);
      expect(response.text).toBe('');
    }
  });
});

describe('§4.5 POST /directory/DIRECTORY_ID/', () => {
  const post = (directory: string, body: object) => server.request.post(`${at(directory)}/`).send(body);

  test('answers 201 and the new entry', async () => {
    const id = newId();
    const response = await post('nature', entry('nature', { properties: { id, label: 'New' } })).expect(201);
    expect(response.body).toEqual({
      'entity-type': 'directoryEntry',
      directoryName: 'nature',
      id,
      properties: { id, label: 'New', obsolete: 0, ordering: 10_000_000 },
    });
    const read = await server.request.get(at('nature', id)).expect(200);
    expect(read.body).toEqual(response.body);
  });

  test('answers the same without the slash', async () => {
    const body = entry('nature', { properties: { id: newId() } });
    await server.request.post(at('nature')).send(body).expect(201);
  });

  test('answers 404 where there is no directory as in the path', async () => {
    const { body } = await post(nobody, entry(nobody, { properties: { id: 'a' } })).expect(404);
    expect(body).toMatchObject(fault(404, words(nobody)));
    await post(nobody, entry('nature', { properties: { id: 'a' } })).expect(404);
  });

  test('answers 500 where there is no directory as in directoryName', async () => {
    const id = newId();
    const { body } = await post('nature', entry(nobody, { properties: { id } })).expect(500);
    expect(body).toMatchObject(fault(500, words('directoryName', nobody)));
    await server.request.get(at('nature', id)).expect(404);
  });

  test('answers 500 where properties.id is taken, and the entry stays what it was', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'First' });
    const { body } = await post('nature', entry('nature', { properties: { id, label: 'Second' } })).expect(
      500,
    );
    expect(body).toMatchObject(fault(500, words(id, 'exists', 'nature')));
    expect((await server.request.get(at('nature', id))).body.properties.label).toBe('First');
  });

  test('answers 400 without properties.id', async () => {
    const without = [
      ...[undefined, null, {}, { label: 'x' }, { id: null }, { id: '' }, { id: '  ' }],
      ...[{ id: 5 }, { id: ['a'] }, { id: {} }, { id: true }],
    ];
    for (const properties of without) {
      const { body } = await post('nature', entry('nature', { id: 'top', properties })).expect(400);
      expect(body).toMatchObject(fault(400, words('id')));
    }
  });

  test('answers 400 where directoryName is another directory than the path', async () => {
    const id = newId();
    const { body } = await post('nature', entry('language', { properties: { id } })).expect(400);
    expect(body).toMatchObject(fault(400, words('language', 'nature')));
    for (const name of ['nature', 'language']) await server.request.get(at(name, id)).expect(404);
  });
});

describe('§4.5 GET /directory/DIRECTORY_ID/ENTRY_ID', () => {
  test('answers 200 and the entry, in one statement', async () => {
    const response = await server.request.get(at('l10nsubjects', 'architecture')).expect(200);
    expect(response.body).toEqual({
      'entity-type': 'directoryEntry',
      directoryName: 'l10nsubjects',
      id: 'architecture',
      properties: {
        id: 'architecture',
        label_en: 'Architecture',
        label_fr: 'Architecture',
        parent: 'art',
        obsolete: 0,
        ordering: 10_000_000,
      },
    });
    expect(statements(response)).toBeLessThanOrEqual(2);
  });

  test('answers 404 where there is no such directory or entry', async () => {
    const { body } = await server.request.get(at(nobody, 'article')).expect(404);
    expect(body).toMatchObject(fault(404, words(nobody)));
    for (const id of [nobody, 'Article', 'article2', ' article', 'a\0b', 'x'.repeat(5000)]) {
      const missing = await server.request.get(at('nature', id)).expect(404);
      expect(missing.body).toMatchObject(fault(404, 'Entry not found'));
    }
  });
});

describe('§4.5 PUT /directory/DIRECTORY_ID/ENTRY_ID', () => {
  const put = (directory: string, id: string, body: object) =>
    server.request.put(at(directory, id)).send(body);

  test('answers 200 and the changed entry', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'Before', ordering: 5 });
    const body = entry('nature', { id, properties: { id, label: 'After' } });
    const response = await put('nature', id, body).expect(200);
    expect(response.body).toEqual({
      ...entry('nature', { id }),
      properties: { id, label: 'After', obsolete: 0, ordering: 5 },
    });
    expect((await server.request.get(at('nature', id))).body).toEqual(response.body);
  });

  test('answers 404 where there is no directory or entry as in the path', async () => {
    const body = entry('nature', { id: 'article', properties: {} });
    expect((await put(nobody, 'article', body).expect(404)).body).toMatchObject(fault(404, words(nobody)));
    expect((await put('nature', nobody, body).expect(404)).body).toMatchObject(fault(404, 'Entry not found'));
  });

  test('answers 500 where there is no directory as in directoryName', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'Before' });
    const { body } = await put('nature', id, entry(nobody, { id, properties: { label: 'x' } })).expect(500);
    expect(body).toMatchObject(fault(500, words('directoryName', nobody)));
    expect((await server.request.get(at('nature', id))).body.properties.label).toBe('Before');
  });

  test('answers 500 where there is no entry with that properties.id, or that id', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'Before' });
    for (const fields of [
      { id, properties: { id: nobody, label: 'x' } },
      { id: nobody, properties: { label: 'x' } },
      { id: nobody, properties: { id, label: 'x' } },
    ]) {
      const { body } = await put('nature', id, entry('nature', fields)).expect(500);
      expect(body).toMatchObject(fault(500, words(nobody, 'nature')));
    }
    expect((await server.request.get(at('nature', id))).body.properties.label).toBe('Before');
  });

  test('answers 400 without id', async () => {
    const { id } = await createEntry(server, 'nature');
    for (const given of [{}, { id: null }, { id: '' }, { id: ' ' }, { id: {} }, { id: [id] }]) {
      const { body } = await put('nature', id, entry('nature', { ...given, properties: { id } })).expect(400);
      expect(body).toMatchObject(fault(400, words('id')));
    }
  });

  test('answers 400 where the body is of another directory or entry than the path', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'Before' });
    for (const body of [
      entry('language', { id, properties: { label: 'x' } }),
      entry('nature', { id: 'article', properties: { label: 'x' } }),
      entry('nature', { id, properties: { id: 'article', label: 'x' } }),
      entry('nature', { id, properties: { id: ['article'], label: 'x' } }),
    ]) {
      await put('nature', id, body).expect(400);
    }
    expect((await server.request.get(at('nature', id))).body.properties.label).toBe('Before');
  });
});

describe('§4.5 DELETE /directory/DIRECTORY_ID/ENTRY_ID', () => {
  test('answers 204 without a body, and the entry is gone', async () => {
    const { id } = await createEntry(server, 'nature');
    const response = await server.request.delete(at('nature', id)).expect(204);
    expect(response.text).toBe('');
    await server.request.get(at('nature', id)).expect(404);
  });

  test('answers 404 where there is no such directory or entry, or none any more', async () => {
    expect((await server.request.delete(at(nobody, 'a')).expect(404)).body).toMatchObject(
      fault(404, words(nobody)),
    );
    const { id } = await createEntry(server, 'nature');
    await server.request.delete(at('nature', id)).expect(204);
    const { body } = await server.request.delete(at('nature', id)).expect(404);
    expect(body).toMatchObject(fault(404, 'Entry not found'));
  });
});

describe('§4.5 for every row', () => {
  const rows = [
    ['get', '/api/v1/directory'],
    ['get', at('nature')],
    ['post', at('nature')],
    ['get', at('nature', 'article')],
    ['put', at('nature', 'article')],
    ['delete', at('nature', 'article')],
  ] as const;

  test.each(rows)('%s %s asks for credentials first', async (method, path) => {
    const { body } = await server.anonymous[method](path).expect(401);
    expect(body).toMatchObject(fault(401, expect.any(String)));
  });

  test.each([
    ['an empty body', ''],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no entity-type', '{"directoryName":"nature","id":"article","properties":{"id":"a"}}'],
    ['another entity-type', '{"entity-type":"document","id":"article","properties":{"id":"a"}}'],
    ['properties that are no object', '{"entity-type":"directoryEntry","id":"article","properties":[]}'],
    [
      'a directoryName that is no string',
      '{"entity-type":"directoryEntry","id":"article","directoryName":1}',
    ],
    ['a NUL', '{"entity-type":"directoryEntry","id":"article","properties":{"id":"a\\u0000"}}'],
  ])('%s is 400 on POST and PUT', async (_, text) => {
    for (const [method, path] of [rows[2], rows[4]]) {
      const { body } = await server.request[method](path).type('json').send(text).expect(400);
      expect(body).toMatchObject(fault(400, words('\\S')));
    }
  });

  test('X-SvcVoidOperation: writes answer 204 without a body', async () => {
    const id = newId();
    const silent = { 'X-SvcVoidOperation': 'true' };
    const body = entry('nature', { id, properties: { id } });
    await server.request.post(at('nature')).set(silent).send(body).expect(204);
    await server.request.put(at('nature', id)).set(silent).send(body).expect(204);
    await server.request.get(at('nature', id)).set(silent).expect(200);
  });
});
