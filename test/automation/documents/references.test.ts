import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const run = (operation: string, input: unknown, params: Record<string, unknown> = {}) =>
  call(server.request, `Document.${operation}`, { input, params });
const folder = () => createDocument(server, { type: 'Folder' });

describe('A slash at the end of a path', () => {
  test('is ignored in inputs and parameters', async () => {
    const [{ path, uid }, to] = [await folder(), await folder()];
    const fetched = await call(server.request, 'Repository.GetDocument', { params: { value: `${path}/` } });
    expect(fetched.body.uid).toBe(uid);
    const graphql = '{ repositoryGetDocument(value: "/default-domain//") { document { path } } }';
    const { body } = await server.request.post('/graphql').send({ query: graphql }).expect(200);
    expect(body.data.repositoryGetDocument.document.path).toBe('/default-domain');
    for (const input of [`doc:${path}/`, `${path}/`, `docs:${path}/,${path}//`, [`${path}/`]]) {
      await run('SetProperty', input, { xpath: 'dc:title', value: 'x' }).expect(200);
    }
    await run('GetChildren', `${path}/`).expect(200);
    const copy = await run('Copy', uid, { target: `${to.path}/` }).expect(200);
    expect(copy.body.path).toMatch(`${to.path}/`);
    await run('AddPermission', `${path}/`, { permission: 'Read', users: ['Administrator'] }).expect(200);
    const moved = await run('Move', `${path}/`, { target: `doc:${to.path}/` }).expect(200);
    expect(moved.body.parentRef).toBe(to.uid);
    expect((await run('Delete', `${moved.body.path}/`)).status).toBe(204);
    for (const root of ['/', '//']) expect((await run('GetChildren', root)).status).toBe(200);
  });
});
