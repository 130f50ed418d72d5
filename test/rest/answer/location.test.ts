import { describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, documentBody, workspaces } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const post = (address: string, body?: object) => server.request.post(`/api/v1${address}`).send(body);

/** What is at the address that an answer names. */
async function located(location: string | undefined): Promise<Record<string, unknown>> {
  expect(location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\//);
  const { pathname } = new URL(location ?? '');
  const { status, body } = await server.request.get(pathname);
  expect({ status, pathname, body }).toMatchObject({ status: 200 });
  return body;
}

describe('Location of a 201', () => {
  test.each([
    ['a document by path', `/path${workspaces}`],
    ['a document by id', undefined],
  ])('is the address of %s', async (_, address) => {
    const parent = await createDocument(server, { type: 'Folder' });
    const { body, headers } = await post(
      address ?? `/id/${parent.uid}`,
      documentBody({ type: 'File', name: 'a b' }),
    ).expect(201);
    expect(await located(headers.location)).toMatchObject({ uid: body.uid, changeToken: body.changeToken });
  });

  test('is the address of users, groups, entries and saved searches, whatever characters their ids have', async () => {
    const made: Array<[string, object]> = [
      ['/user', { 'entity-type': 'user', properties: { username: 'a/b é' } }],
      ['/group', { 'entity-type': 'group', id: 'c/d ?' }],
      [
        '/directory/nature',
        { 'entity-type': 'directoryEntry', directoryName: 'nature', properties: { id: 'e/f' } },
      ],
      [
        '/search/saved',
        { 'entity-type': 'savedSearch', title: 's', query: 'SELECT * FROM Note', queryLanguage: 'NXQL' },
      ],
    ];
    for (const [address, body] of made) {
      const answer = await post(address, body).expect(201);
      expect(await located(answer.headers.location)).toMatchObject({ id: answer.body.id });
    }
  });

  test('is the address of comments, annotations and workflows', async () => {
    const { uid, path } = await createDocument(server);
    const made: Array<[string, object]> = [
      [`/path${path}/@comment`, { 'entity-type': 'comment', text: 'one' }],
      [
        `/id/${uid}/@annotation`,
        { 'entity-type': 'annotation', text: 'one', xpath: 'file:content', entityId: 'x' },
      ],
      [`/id/${uid}/@workflow`, { 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' }],
    ];
    for (const [address, body] of made) {
      const answer = await post(address, body).expect(201);
      expect(await located(answer.headers.location)).toMatchObject({ id: answer.body.id });
    }
  });

  test('is the address of an upload and of its file', async () => {
    const { body, headers } = await post('/upload').expect(201);
    expect(new URL(headers.location ?? '').pathname).toBe(`/api/v1/upload/${body.batchId}`);
    const file = await server.request
      .post(`/api/v1/upload/${body.batchId}/0`)
      .set('X-File-Name', 'a.txt')
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from('text'))
      .expect(201);
    expect(await located(file.headers.location)).toMatchObject({ name: 'a.txt' });
  });

  test('is the address of the request where that adds a user to a group', async () => {
    await post('/user', { 'entity-type': 'user', properties: { username: 'located' } }).expect(201);
    const { headers } = await post('/user/located/group/members?x=1').expect(201);
    expect(new URL(headers.location ?? '').pathname).toBe('/api/v1/user/located/group/members');
  });

  test('is absent where nothing is answered', async () => {
    const { headers } = await server.request
      .post(atPath(workspaces))
      .set('X-SvcVoidOperation', 'true')
      .send(documentBody({ type: 'File', name: 'void' }))
      .expect(204);
    expect(headers.location).toBeUndefined();
  });

  test('names the version that X-Versioning-Option makes', async () => {
    const { body, headers } = await server.request
      .post(atPath(workspaces))
      .set('X-Versioning-Option', 'MINOR')
      .send(documentBody({ type: 'File', name: 'versioned' }))
      .expect(201);
    expect(headers.location).toContain(atId(body.uid).slice('/api/v1'.length));
    expect(await located(headers.location)).toMatchObject({ isVersion: true });
  });
});
