import { describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { atDirectory, createEntry, entryBody, newEntryId } from './directory-requests.ts';

const server = useServer();

const nobody = 'nosuch';
const words = (...parts: string[]) => expect.stringMatching(new RegExp(parts.join('.*'), 's'));

describe('§4.5 POST /directory/DIRECTORY_ID/', () => {
  const post = (directory: string, body: object) =>
    server.request.post(`${atDirectory(directory)}/`).send(body);

  test('answers 201 and the new entry', async () => {
    const id = newEntryId();
    const response = await post('nature', entryBody('nature', { properties: { id, label: 'New' } })).expect(
      201,
    );
    expect(response.body).toEqual({
      'entity-type': 'directoryEntry',
      directoryName: 'nature',
      id,
      properties: { id, label: 'New', obsolete: 0, ordering: 10_000_000 },
    });
    const read = await server.request.get(atDirectory('nature', id)).expect(200);
    expect(read.body).toEqual(response.body);
  });

  test('answers 201 without the trailing slash too', async () => {
    const body = entryBody('nature', { properties: { id: newEntryId() } });
    await server.request.post(atDirectory('nature')).send(body).expect(201);
  });

  test('answers 404 for an unknown directory in the path', async () => {
    const { body } = await post(nobody, entryBody(nobody, { properties: { id: 'a' } })).expect(404);
    expect(body).toMatchObject(exception(404, words(nobody)));
    await post(nobody, entryBody('nature', { properties: { id: 'a' } })).expect(404);
  });

  test('answers 500 for an unknown directory in directoryName', async () => {
    const id = newEntryId();
    const { body } = await post('nature', entryBody(nobody, { properties: { id } })).expect(500);
    expect(body).toMatchObject(exception(500, words('directoryName', nobody)));
    await server.request.get(atDirectory('nature', id)).expect(404);
  });

  test('answers 500 for an existing properties.id and leaves that entry unchanged', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'First' });
    const { body } = await post(
      'nature',
      entryBody('nature', { properties: { id, label: 'Second' } }),
    ).expect(500);
    expect(body).toMatchObject(exception(500, words(id, 'exists', 'nature')));
    expect((await server.request.get(atDirectory('nature', id))).body.properties.label).toBe('First');
  });

  test('answers 400 without an id', async () => {
    const without = [
      undefined,
      null,
      {},
      { label: 'x' },
      { id: null },
      { id: '' },
      { id: '  ' },
      { id: ['a'] },
      { id: {} },
      { id: true },
    ];
    for (const properties of without) {
      const { body } = await post('nature', entryBody('nature', { properties })).expect(400);
      expect(body).toMatchObject(exception(400, words('id')));
    }
  });

  test('takes the id from the top where the properties have none, and 400 is for two ids', async () => {
    const [id, other] = [newEntryId(), newEntryId()];
    const { body } = await post('nature', entryBody('nature', { id, properties: { label: 'x' } })).expect(
      201,
    );
    expect(body).toMatchObject({ id, properties: { id, label: 'x' } });
    await post('nature', entryBody('nature', { id: other, properties: { id: 'unlike' } })).expect(400);
    const [blank, named] = [newEntryId(), newEntryId()];
    await post('nature', entryBody('', { id: blank, properties: { id: ' ' } })).expect(201);
    await post('nature', entryBody(' ', { id: ' ', properties: { id: named } })).expect(201);
    await post('nature', entryBody('nature', { id: other, properties: { id: other } })).expect(201);
  });

  test.each([
    [51, { properties: { id: 51 } }],
    [52, { id: 52, properties: {} }],
    [53, { id: '53', properties: { id: 53 } }],
    [54, { id: 54, properties: { id: '54' } }],
  ])('takes the number %s as the text of it, wherever the id is', async (id, fields) => {
    const { body } = await post('nature', entryBody('nature', fields)).expect(201);
    expect(body).toMatchObject({ id: String(id), properties: { id: String(id) } });
    const change = entryBody('nature', { id, properties: { id, label: 'New' } });
    const at = atDirectory('nature', String(id));
    expect((await server.request.put(at).send(change).expect(200)).body.properties.label).toBe('New');
    const unlike = entryBody('nature', { id: 55, properties: { id } });
    await post('nature', unlike).expect(400);
  });

  test('answers 400 when directoryName differs from the directory of the path', async () => {
    const id = newEntryId();
    const { body } = await post('nature', entryBody('language', { properties: { id } })).expect(400);
    expect(body).toMatchObject(exception(400, words('language', 'nature')));
    for (const name of ['nature', 'language']) await server.request.get(atDirectory(name, id)).expect(404);
  });
});

describe('§4.5 GET /directory/DIRECTORY_ID/ENTRY_ID', () => {
  test('answers 200 and the entry in one SQL statement', async () => {
    const response = await server.request.get(atDirectory('l10nsubjects', 'architecture')).expect(200);
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

  test('answers 404 for an unknown directory or entry', async () => {
    const { body } = await server.request.get(atDirectory(nobody, 'article')).expect(404);
    expect(body).toMatchObject(exception(404, words(nobody)));
    for (const id of [nobody, 'Article', 'article2', ' article', 'a\0b', 'x'.repeat(5000)]) {
      const missing = await server.request.get(atDirectory('nature', id)).expect(404);
      expect(missing.body).toMatchObject(exception(404, 'Entry not found'));
    }
  });
});

describe('§4.5 PUT /directory/DIRECTORY_ID/ENTRY_ID', () => {
  const put = (directory: string, id: string, body: object) =>
    server.request.put(atDirectory(directory, id)).send(body);

  test('answers 200 and the changed entry', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'Before', ordering: 5 });
    const body = entryBody('nature', { id, properties: { id, label: 'After' } });
    const response = await put('nature', id, body).expect(200);
    expect(response.body).toEqual({
      ...entryBody('nature', { id }),
      properties: { id, label: 'After', obsolete: 0, ordering: 5 },
    });
    expect((await server.request.get(atDirectory('nature', id))).body).toEqual(response.body);
  });

  test('answers 404 for an unknown directory or entry in the path', async () => {
    const body = entryBody('nature', { id: 'article', properties: {} });
    expect((await put(nobody, 'article', body).expect(404)).body).toMatchObject(
      exception(404, words(nobody)),
    );
    expect((await put('nature', nobody, body).expect(404)).body).toMatchObject(
      exception(404, 'Entry not found'),
    );
  });

  test('answers 500 for an unknown directory in directoryName', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'Before' });
    const { body } = await put('nature', id, entryBody(nobody, { id, properties: { label: 'x' } })).expect(
      500,
    );
    expect(body).toMatchObject(exception(500, words('directoryName', nobody)));
    expect((await server.request.get(atDirectory('nature', id))).body.properties.label).toBe('Before');
  });

  test('answers 500 for an unknown id or properties.id in the body', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'Before' });
    for (const fields of [
      { id, properties: { id: nobody, label: 'x' } },
      { id: nobody, properties: { label: 'x' } },
      { id: nobody, properties: { id, label: 'x' } },
    ]) {
      const { body } = await put('nature', id, entryBody('nature', fields)).expect(500);
      expect(body).toMatchObject(exception(500, words(nobody, 'nature')));
    }
    expect((await server.request.get(atDirectory('nature', id))).body.properties.label).toBe('Before');
  });

  test('takes the id from any place of the body, or from the address alone', async () => {
    const { id } = await createEntry(server, 'nature');
    const bodies = [
      { properties: { id } },
      { id: null, properties: { id } },
      { id: '', properties: {} },
      { id: ' ', properties: { id: '' } },
      { id, properties: { id: ' ' } },
      { directoryName: '' },
      {},
    ];
    for (const [index, { properties, ...fields }] of bodies.entries()) {
      const sent = { ...fields, properties: { ...properties, label: String(index) } };
      const { body } = await put('nature', id, entryBody('nature', sent)).expect(200);
      expect(body).toMatchObject({ id, properties: { id, label: String(index) } });
    }
  });

  test('answers 400 for an id that is none, and 500 for an unknown one in properties alone', async () => {
    const { id } = await createEntry(server, 'nature');
    for (const given of [{ id: {} }, { id: [id] }, { id: true }]) {
      const { body } = await put('nature', id, entryBody('nature', given)).expect(400);
      expect(body).toMatchObject(exception(400, 'id must be a string or a number.'));
    }
    await put('nature', id, entryBody('nature', { properties: { id: nobody } })).expect(500);
    await put('nature', id, entryBody('nature', { properties: { id: 'article' } })).expect(400);
  });

  test('answers 400 when the body names another directory or entry than the path', async () => {
    const { id } = await createEntry(server, 'nature', { label: 'Before' });
    for (const body of [
      entryBody('language', { id, properties: { label: 'x' } }),
      entryBody('nature', { id: 'article', properties: { label: 'x' } }),
      entryBody('nature', { id, properties: { id: 'article', label: 'x' } }),
      entryBody('nature', { id, properties: { id: ['article'], label: 'x' } }),
    ]) {
      await put('nature', id, body).expect(400);
    }
    expect((await server.request.get(atDirectory('nature', id))).body.properties.label).toBe('Before');
  });
});

describe('§4.5 DELETE /directory/DIRECTORY_ID/ENTRY_ID', () => {
  test('answers 204 without a body and deletes the entry', async () => {
    const { id } = await createEntry(server, 'nature');
    const response = await server.request.delete(atDirectory('nature', id)).expect(204);
    expect(response.text).toBe('');
    await server.request.get(atDirectory('nature', id)).expect(404);
  });

  test('answers 404 for an unknown directory and for an entry that is already deleted', async () => {
    expect((await server.request.delete(atDirectory(nobody, 'a')).expect(404)).body).toMatchObject(
      exception(404, words(nobody)),
    );
    const { id } = await createEntry(server, 'nature');
    await server.request.delete(atDirectory('nature', id)).expect(204);
    const { body } = await server.request.delete(atDirectory('nature', id)).expect(404);
    expect(body).toMatchObject(exception(404, 'Entry not found'));
  });
});
