import { describe, expect, test } from '@jest/globals';
import { createDocument } from './support/documents.ts';
import { useServer } from './support/server.ts';
import { useUser } from './support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const document = (type: string) => ({ 'entity-type': 'document', name: 'x', type });

// §7
describe('an unknown name', () => {
  test.each([
    ['type', 'POST', '/path/default-domain', document('Fil'), 400, 'Type: Fil', 'File', '/config/types'],
    [
      'type of a query',
      'GET',
      '/search/execute?query=SELECT * FROM Folde',
      {},
      400,
      'Type: Folde',
      'Folder',
      '/config/types',
    ],
    [
      'facet',
      'POST',
      '/automation/Document.AddFacet',
      { input: '/default-domain', params: { facet: 'Versionabel' } },
      400,
      'Facet: Versionabel',
      'Versionable',
      '/config/facets',
    ],
    ['directory', 'GET', '/directory/natur/article', {}, 404, 'Directory: natur', 'nature', '/directory'],
    [
      'page provider',
      'GET',
      '/search/lang/pp/default_serch',
      {},
      404,
      'Page provider: default_serch',
      'default_search',
      '/search/lang/pp',
    ],
    [
      'operation',
      'POST',
      '/automation/Document.Crate',
      {},
      404,
      'Operation: Document.Crate',
      'Document.Create',
      '/automation',
    ],
  ] as const)(
    'comes with the closest names and the address that lists all: %s',
    async (_, method, address, body, status, fault, closest, listing) => {
      const sent =
        method === 'GET'
          ? server.request.get(encodeURI(`/api/v1${address}`))
          : server.request.post(`/api/v1${address}`).send(body);
      const { message } = (await sent.expect(status)).body as { message: string };
      expect(message).toContain(`${fault} does not exist. Did you mean ${closest}`);
      expect(message).toContain(` GET /api/v1${listing} lists the `);
      await server.request.get(`/api/v1${listing}`).expect(200);
    },
  );

  test('that is like no other has the address only', async () => {
    const { uid } = await createDocument(server);
    const { body } = await server.request.get(`/api/v1/id/${uid}/@pp/${'x'.repeat(5_000)}`).expect(404);
    expect(body.message).toBe(
      `Page provider: ${'x'.repeat(200)} does not exist. GET /api/v1/search/lang/pp lists the page providers.`,
    );
  });

  test('is not compared with operations and directories for administrators, unless an administrator calls', async () => {
    const messages = async (request: typeof bob) => [
      (await request.post('/api/v1/automation/Audit.Quer').send({}).expect(404)).body.message,
      (await request.get('/api/v1/directory/oauth2Client/1').expect(404)).body.message,
    ];
    const [operation, directory] = await messages(bob);
    expect(operation).not.toContain('Audit.Query');
    expect(directory).not.toContain('oauth2Clients');
    expect((await messages(server.request))[0]).toContain('Did you mean Audit.Query');
  });
});
