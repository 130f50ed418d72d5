import { describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { atDirectory, entryBody, newEntryId } from './directory-requests.ts';

const server = useServer();

const nobody = 'nosuch';
const words = (...parts: string[]) => expect.stringMatching(new RegExp(parts.join('.*'), 's'));

describe('§4.5 GET /directory', () => {
  test('answers 200 and all directories', async () => {
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
    // Every directory of the list can be read.
    for (const name of Object.keys(byName)) await server.request.get(atDirectory(name)).expect(200);
  });
});

describe('§4.5 GET /directory/DIRECTORY_ID', () => {
  test('answers 200 and a page of entries', async () => {
    const response = await server.request.get(atDirectory('continent')).expect(200);
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

  test('answers 204 without a body for an unknown directory', async () => {
    for (const name of [nobody, 'Nature', '__proto__', 'constructor', 'a/b']) {
      const response = await server.request.get(atDirectory(name)).expect(204);
      expect(response.text).toBe('');
    }
  });
});

describe('§4.5 the routes of directories', () => {
  const rows = [
    ['get', '/api/v1/directory'],
    ['get', atDirectory('nature')],
    ['post', atDirectory('nature')],
    ['get', atDirectory('nature', 'article')],
    ['put', atDirectory('nature', 'article')],
    ['delete', atDirectory('nature', 'article')],
  ] as const;

  test.each(rows)('%s %s answers 401 without credentials', async (method, path) => {
    const { body } = await server.anonymous[method](path).expect(401);
    expect(body).toMatchObject(exception(401, expect.any(String)));
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
  ])('POST and PUT answer 400 to %s', async (_, text) => {
    for (const [method, path] of [rows[2], rows[4]]) {
      const { body } = await server.request[method](path).type('json').send(text).expect(400);
      expect(body).toMatchObject(exception(400, words('\\S')));
    }
  });

  test('writes with X-SvcVoidOperation answer 204 without a body', async () => {
    const id = newEntryId();
    const silent = { 'X-SvcVoidOperation': 'true' };
    const body = entryBody('nature', { id, properties: { id } });
    await server.request.post(atDirectory('nature')).set(silent).send(body).expect(204);
    await server.request.put(atDirectory('nature', id)).set(silent).send(body).expect(204);
    await server.request.get(atDirectory('nature', id)).set(silent).expect(200);
  });
});
