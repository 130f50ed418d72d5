import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../store/consistency.ts';
import type { DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';

const server = useServer({ REPOSITORIES: 'default,archive' });
checkConsistency(server);

type Known = DocumentEntity & { repository: string };

async function create(repository: string, name: string, content: string): Promise<Known> {
  const properties = { 'dc:title': content, 'file:content': { content } };
  const { body } = await server.request
    .post(`/api/v1/repo/${repository}/path/`)
    .send({ 'entity-type': 'document', type: 'File', name, properties })
    .expect(201);
  return body as Known;
}

describe('§9 A repository', () => {
  test('starts with the default tree', async () => {
    for (const repository of ['default', 'archive']) {
      const { body } = await server.request.get(`/api/v1/repo/${repository}/path/default-domain`).expect(200);
      expect(body).toMatchObject({ repository, path: '/default-domain', type: 'Domain' });
    }
  });

  test('has its own documents at the same paths', async () => {
    const [one, other] = [await create('default', 'same', 'one'), await create('archive', 'same', 'other')];
    expect(one.uid).not.toBe(other.uid);
    expect([one.path, other.path]).toEqual(['/same', '/same']);
    const read = async (repository: string) =>
      (await server.request.get('/api/v1/path/same').set('Repository', repository).expect(200)).body.title;
    expect([await read('default'), await read('archive')]).toEqual(['one', 'other']);
  });

  test('answers 404 for an id of another repository', async () => {
    const { uid } = await create('archive', 'by-id', 'x');
    const change = { 'entity-type': 'document', properties: { 'dc:title': 'taken over' } };
    const child = { 'entity-type': 'document', type: 'File', name: 'child' };
    await server.request.get(`/api/v1/id/${uid}`).expect(404);
    await server.request.put(`/api/v1/id/${uid}`).send(change).expect(404);
    await server.request.post(`/api/v1/id/${uid}`).send(child).expect(404);
    await server.request.delete(`/api/v1/id/${uid}`).expect(404);
    await server.request.get(`/api/v1/id/${uid}/@blob`).expect(404);
    await server.request.get(`/api/v1/id/${uid}/@children`).expect(404);
    const { body } = await server.request.get(`/api/v1/repo/archive/id/${uid}`).expect(200);
    expect(body.title).toBe('x');
  });

  test('lists and counts its own children only', async () => {
    await create('archive', 'only-here', 'x');
    const names = async (repository: string) => {
      const { body } = await server.request.get(`/api/v1/repo/${repository}/path/@children`).expect(200);
      expect(body.resultsCount).toBe(body.entries.length);
      return body.entries.map(({ name }: Known) => name);
    };
    expect(await names('archive')).toContain('only-here');
    expect(await names('default')).not.toContain('only-here');
  });

  test('keeps its documents when a path is deleted in another repository', async () => {
    const [one, other] = [await create('default', 'lost', 'one'), await create('archive', 'lost', 'other')];
    await server.request.delete('/api/v1/path/lost').expect(204);
    await server.request.get(`/api/v1/id/${one.uid}`).expect(404);
    const { text } = await server.request.get(`/api/v1/repo/archive/id/${other.uid}/@blob`).expect(200);
    expect(text).toBe('other');
  });

  test('is named in the URLs of its blobs', async () => {
    const { properties } = await create('archive', 'blob', 'x');
    expect((properties['file:content'] as { data: string }).data).toContain('/api/v1/repo/archive/id/');
  });

  test('that is not configured is answered 404', async () => {
    await server.request.get('/api/v1/repo/nowhere/path/').expect(404);
    await server.request.get('/api/v1/path/').set('Repository', 'nowhere').expect(404);
  });
});
