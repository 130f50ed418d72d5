import { describe, expect, test } from '@jest/globals';
import { stockTypes } from '../../src/model/types.ts';
import { useServer } from '../support/server.ts';

const server = useServer(
  { CONTEXT_PATH: '/nuxeo' },
  {
    types: [
      { name: 'Report', parent: 'File' },
      { name: 'Invoice', parent: 'File', icon: 'https://icons.example.org/invoice.png' },
    ],
  },
);

const iconOf = async (path: string) => {
  const { body } = await server.request
    .get(`/nuxeo/api/v1/path${path}`)
    .set('properties', 'common')
    .expect(200);
  return body.properties['common:icon'];
};

const abstract = ['Document', 'Relation', 'Tagging', 'Tag'];

describe('the icons of types', () => {
  test.each(stockTypes.map(({ name }) => name).filter((name) => !abstract.includes(name)))(
    '%s has one that is served without credentials',
    async (type) => {
      const icon = stockTypes.find(({ name }) => name === type)?.icon ?? '';
      const { headers, body } = await server.anonymous.get(`/nuxeo${icon}`).expect(200);
      expect(headers['content-type']).toMatch(/^image\/svg\+xml/);
      expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
      expect(String(body)).not.toMatch(/script|href|url\(/);
    },
  );

  test('are those of new documents, of the tree, and of types that inherit', async () => {
    const icons = { File: 'file', Folder: 'folder', Workspace: 'workspace', Report: 'file' };
    for (const [type, icon] of Object.entries(icons)) {
      const { body } = await server.request
        .post('/nuxeo/api/v1/path/default-domain/workspaces')
        .send({ 'entity-type': 'document', type, name: type })
        .expect(201);
      expect(await iconOf(body.path)).toBe(`/icons/${icon}.svg`);
    }
    expect(await iconOf('/')).toBe('/icons/root.svg');
    expect(await iconOf('/default-domain')).toBe('/icons/domain.svg');
    expect(await iconOf('/default-domain/workspaces')).toBe('/icons/workspaces.svg');
  });

  test('are replaced by one that is given, in a type or in a document', async () => {
    for (const [type, properties, icon] of [
      ['Invoice', {}, 'https://icons.example.org/invoice.png'],
      ['Invoice', { 'common:icon': '/own.png' }, '/own.png'],
    ] as const) {
      const { body } = await server.request
        .post('/nuxeo/api/v1/path/default-domain/workspaces')
        .send({ 'entity-type': 'document', type, name: 'i', properties })
        .expect(201);
      expect(await iconOf(body.path)).toBe(icon);
    }
  });

  test('are no words of a search', async () => {
    const found = async (word: string) => {
      const query = `SELECT * FROM Document WHERE ecm:fulltext = '${word}'`;
      const { body } = await server.request.get('/nuxeo/api/v1/search/execute').query({ query }).expect(200);
      return body.resultsCount;
    };
    expect([await found('svg'), await found('icons')]).toEqual([0, 0]);
    expect(await found('workspaces')).toBe(1);
  });

  test.each(['/icons', '/icons/', '/icons/nosuch.svg', '/icons/../icons.ts', '/icons/%2e%2e/types.ts'])(
    '%s is 404',
    async (path) => {
      await server.anonymous.get(`/nuxeo${path}`).expect(404);
    },
  );
});
