import { describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const missing = '00000000-0000-4000-8000-000000000000';

const at = (...ids: readonly string[]): string => `/api/v1/bulk${ids.map((id) => `;id=${id}`).join('')}`;

const make = (count: number): Promise<DocumentEntity[]> =>
  Promise.all(Array.from({ length: count }, () => createDocument(server)));

const ids = (documents: readonly DocumentEntity[]): string[] => documents.map(({ uid }) => uid);

const titled = (title: string) => ({ 'entity-type': 'document', properties: { 'dc:title': title } });

const titles = async (documents: readonly DocumentEntity[]): Promise<unknown[]> => {
  const { body } = await server.request.get(at(...ids(documents))).expect(200);
  return body.entries.map(({ title }: { title: string }) => title);
};

describe('GET /bulk;id=A;id=B', () => {
  test('answers with the documents in the order of their ids, each once', async () => {
    const [one, two] = ids(await make(2)) as [string, string];
    const { body } = await server.request
      .get(at(two, one, two))
      .set('properties', 'dublincore')
      .expect(200);
    expect(body).toMatchObject({
      'entity-type': 'documents',
      entries: [{ uid: two, properties: { 'dc:title': null } }, { uid: one }],
    });
    expect(body.entries).toHaveLength(2);
  });

  test('is served in a repository of a name', async () => {
    const [one = ''] = ids(await make(1));
    const { body } = await server.request.get(`/api/v1/repo/default/bulk;id=${one}`).expect(200);
    expect(body.entries).toEqual([expect.objectContaining({ uid: one })]);
  });

  test('takes the same number of statements for two documents and for twenty', async () => {
    const documents = ids(await make(20));
    const count = async (...some: string[]) =>
      statements(
        await server.request
          .get(at(...some))
          .set('enrichers.document', 'acls,tags,breadcrumb')
          .expect(200),
      );
    await count(...documents); // what the process remembers
    expect(await count(...documents)).toBe(await count(...documents.slice(0, 2)));
  });

  test('is 404 when one of the documents is missing', async () => {
    const [one = ''] = ids(await make(1));
    await server.request.get(at(one, missing)).expect(404);
  });

  test.each([
    [
      'a name other than id',
      '/api/v1/bulk;uid=x',
      '"uid=x" must have the form id=VALUE. Separate several with ";".',
    ],
    [
      'an id without a value',
      '/api/v1/bulk;id=',
      '"id=" must have the form id=VALUE. Separate several with ";".',
    ],
    ['no id', '/api/v1/bulk;x', '"x" must have the form id=VALUE. Separate several with ";".'],
    ['two values', '/api/v1/bulk;id=x=y', '"id=x=y" must have the form id=VALUE. Separate several with ";".'],
  ])('is 400 with %s', async (_, address, message) => {
    const { body } = await server.request.get(address).expect(400);
    expect(body.message).toBe(message);
  });

  test('is 400 with more than 1000 ids', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => `i${index}`);
    const { body } = await server.request.get(at(...many)).expect(400);
    expect(body.message).toBe('id must contain between 1 and 1000 ids; got 1001.');
  });
});

describe('PUT /bulk;id=A;id=B', () => {
  test('changes the properties of all documents', async () => {
    const documents = await make(2);
    const { body } = await server.request
      .put(at(...ids(documents)))
      .send(titled('Same'))
      .expect(200);
    expect(body.entries.map(({ title }: { title: string }) => title)).toEqual(['Same', 'Same']);
    expect(await titles(documents)).toEqual(['Same', 'Same']);
  });

  test('changes nothing when the caller may not write one of the documents', async () => {
    const documents = await make(2);
    await setAcl(server, documents[0]?.path ?? '', [grant('bob', 'ReadWrite')]);
    const before = await titles(documents);
    await bob
      .put(at(...ids(documents)))
      .send(titled('Other'))
      .expect(403);
    expect(await titles(documents)).toEqual(before);
  });

  test('changes nothing when one of the documents refuses a value', async () => {
    const [file, folder] = [await createDocument(server), await createDocument(server, { type: 'Folder' })];
    const before = await titles([file, folder]);
    const body = { 'entity-type': 'document', properties: { 'dc:title': 'New', 'file:content': null } };
    await server.request.put(at(file.uid, folder.uid)).send(body).expect(400);
    expect(await titles([file, folder])).toEqual(before);
  });

  test('is 403 for a document under legal hold, and changes none', async () => {
    const documents = await make(2);
    const [held] = documents;
    await server.request
      .post('/api/v1/automation/Document.MakeRecord')
      .send({ input: held?.uid })
      .expect(200);
    await server.request.post('/api/v1/automation/Document.Hold').send({ input: held?.uid }).expect(200);
    const before = await titles(documents);
    await server.request
      .put(at(...ids(documents)))
      .send(titled('Held'))
      .expect(403);
    await server.request.delete(at(...ids(documents))).expect(403);
    expect(await titles(documents)).toEqual(before);
  });

  test('is 400 with a body that is no document', async () => {
    await server.request
      .put(at(...ids(await make(1))))
      .send({ 'entity-type': 'user' })
      .expect(400);
  });
});

describe('DELETE /bulk;id=A;id=B', () => {
  test('deletes all documents', async () => {
    const documents = await make(3);
    await server.request.delete(at(...ids(documents))).expect(204);
    for (const { uid } of documents) await server.request.get(`/api/v1/id/${uid}`).expect(404);
  });

  test('deletes none when one of them is missing', async () => {
    const documents = await make(2);
    await server.request.delete(at(...ids(documents), missing)).expect(404);
    expect(await titles(documents)).toHaveLength(2);
  });
});

test('other methods are 405', async () => {
  await server.request.post(at(missing)).expect(405);
});
