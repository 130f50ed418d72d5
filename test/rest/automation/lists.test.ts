import { beforeEach, describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

let folder: DocumentEntity;
let files: DocumentEntity[];
beforeEach(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  files = [];
  for (const name of ['a', 'b', 'c'])
    files.push(
      await createDocument(server, { parent: folder.path, name, properties: { 'dc:title': `list ${name}` } }),
    );
});

const names = (body: { entries: Array<{ path: string }> }): string[] =>
  body.entries.map(({ path }) => path.slice(-1)).sort();

const query = (condition: string): string =>
  `query=${encodeURIComponent(`SELECT * FROM File WHERE ecm:path STARTSWITH '${folder.path}' AND ${condition}`)}`;

const lists: ReadonlyArray<[string, () => string, string[]]> = [
  ['@children', () => `/path${folder.path}/@children/@op/OP`, ['a', 'b', 'c']],
  ['a page of @children', () => `/id/${folder.uid}/@children/@op/OP?pageSize=2`, ['a', 'b']],
  ['@search', () => `/id/${folder.uid}/@search/@op/OP?${query("dc:title <> 'list b'")}`, ['a', 'c']],
  ['@pp', () => `/path${folder.path}/@pp/CURRENT_DOC_CHILDREN/@op/OP`, ['a', 'b', 'c']],
  ['/bulk', () => `/bulk;id=${files[0]?.uid};id=${files[2]?.uid}/@op/OP`, ['a', 'c']],
];

const post = (address: string, operation: string, agent = server.request) =>
  agent.post(`/api/v1${address.replace('OP', operation)}`);

describe('§4.7 @op on a list', () => {
  test.each(lists)('has the documents of %s as its input', async (_, address, expected) => {
    const params = { properties: { 'dc:description': 'listed' } };
    const { body } = await post(address(), 'Document.Update').send({ params }).expect(200);
    expect(body['entity-type']).toBe('documents');
    expect(names(body)).toEqual(expected);
    const { body: found } = await server.request
      .get(`/api/v1/search/execute?${query("dc:description = 'listed'")}`)
      .expect(200);
    expect(names(found)).toEqual(expected);
  });

  test.each(lists)(
    'of %s is 403 and changes nothing when one document may not be changed',
    async (_, address) => {
      await setAcl(server, folder.path, [grant('bob', 'Read')]);
      await setAcl(server, files[0]?.path ?? '', [grant('bob', 'ReadWrite')]);
      const params = { properties: { 'dc:description': 'refused' } };
      await post(address(), 'Document.Update', bob).send({ params }).expect(403);
      const { body } = await server.request.get(
        `/api/v1/search/execute?${query("dc:description = 'refused'")}`,
      );
      expect(body.entries).toEqual([]);
    },
  );

  test('works on none of the documents that the caller may not read', async () => {
    await setAcl(server, files[1]?.path ?? '', [grant('bob', 'Everything')]);
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await setAcl(server, files[0]?.path ?? '', [{ ...grant('bob', 'Everything'), granted: false }]);
    const { body } = await post(`/id/${folder.uid}/@children/@op/OP`, 'Document.GetParent', bob).send({});
    expect(body.entries).toHaveLength(2);
  });

  test.each([
    ['an unknown operation', 'No.Such', 404],
    ['an operation for administrators', 'Audit.Query', 403],
    ['a script', 'RunScript', 501],
  ])('is refused with %s', async (_, operation, status) => {
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await post(`/id/${folder.uid}/@children/@op/OP`, operation, bob).send({}).expect(status);
  });

  test.each(lists)('is served for %s after the answer, with @async', async (_, address, expected) => {
    const params = { properties: { 'dc:description': 'later' } };
    const { headers } = await post(address(), 'Document.Update/@async').send({ params }).expect(202);
    const status = new URL(headers.location ?? '').pathname;
    await until(async () => (await server.request.get(status)).status === 303);
    const { body } = await server.request.get(status.replace(/\/status$/, '')).expect(200);
    expect(names(body)).toEqual(expected);
  });

  test('is 404 at a document that is missing', async () => {
    await post('/path/no/such/@children/@op/OP', 'Document.Update').send({}).expect(404);
  });
});
