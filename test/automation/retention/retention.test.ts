import { describe, expect, test } from '@jest/globals';
import { breakBy } from '../../store/checks/check-support.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import {
  atId,
  atPath,
  createDocument,
  type DocumentEntity,
  documentBody,
  readDocument,
  updateDocument,
} from '../../support/documents.ts';
import { askGraphql, call, calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');
const run = calling(server);

const later = '2999-01-01T00:00:00.000Z';
const blob = { 'mime-type': 'text/plain', name: 'a.txt', content: 'old' };

/** A document in a folder in a folder, with a file, under a legal hold. */
async function held() {
  const top = await createDocument(server, { type: 'Folder' });
  const folder = await createDocument(server, { type: 'Folder', parent: top.path });
  const document = await createDocument(server, { parent: folder.path });
  const attached = [{ content: 'old', name: 'a.txt', type: 'text/plain' }];
  await call(server.request, 'Blob.AttachOnDocument', {
    params: { document: document.uid },
    blobs: attached,
  }).expect(200);
  await run('Document.Hold', document.uid).expect(200);
  return { top, folder, document };
}

const refusalOf = ({ uid }: DocumentEntity) => ({
  'entity-type': 'exception',
  status: 403,
  message: `${uid} is under retention or legal hold`,
});

describe('§2.1 the fields of a retained document', () => {
  const fieldsOf = async ({ uid }: DocumentEntity) => {
    const { body } = await server.request.get(atId(uid)).expect(200);
    const { isRecord, retainUntil, hasLegalHold, isUnderRetentionOrLegalHold } = body;
    const inGraphql = await askGraphql<{ document: object }>(
      server.request,
      'query ($id: ID!) { document(id: $id) { isRecord retainUntil hasLegalHold isUnderRetentionOrLegalHold } }',
      { id: uid },
    );
    expect(inGraphql.document).toEqual({ isRecord, retainUntil, hasLegalHold, isUnderRetentionOrLegalHold });
    return [isRecord, retainUntil, hasLegalHold, isUnderRetentionOrLegalHold];
  };

  test('each operation sets its own, and a record alone may be changed', async () => {
    const document = await createDocument(server);
    expect(await fieldsOf(document)).toEqual([false, null, false, false]);
    await run('Document.MakeRecord', document.uid).expect(200);
    expect(await fieldsOf(document)).toEqual([true, null, false, false]);
    await updateDocument(server.request, document.uid, { 'dc:title': 'changed' }).expect(200);
    await run('Document.SetRetention', document.uid, { until: later }).expect(200);
    expect(await fieldsOf(document)).toEqual([true, later, false, true]);
    await run('Document.Hold', document.uid).expect(200);
    expect(await fieldsOf(document)).toEqual([true, later, true, true]);
    await run('Document.Unhold', document.uid).expect(200);
    expect(await fieldsOf(document)).toEqual([true, later, false, true]);
  });

  test('§4.1 an answer from before the end of a retention is not current after it', async () => {
    const { uid } = await createDocument(server);
    await run('Document.MakeRecord', uid).expect(200);
    const soon = new Date(Date.now() + 3_000).toISOString();
    await run('Document.SetRetention', uid, { until: soon }).expect(200);
    const { body, headers } = await server.request.get(atId(uid)).expect(200);
    const again = () => server.request.get(atId(uid)).set('If-None-Match', String(headers.etag));
    await until(async () => (await again()).status === 200);
    expect((await again()).body).toEqual({ ...body, isUnderRetentionOrLegalHold: false });
  });

  test('a search finds documents by them', async () => {
    const document = await createDocument(server);
    await run('Document.MakeRecord', document.uid).expect(200);
    await run('Document.SetRetention', document.uid, { until: later }).expect(200);
    await run('Document.Hold', document.uid).expect(200);
    const found = async (condition: string) => {
      const query = `SELECT * FROM File WHERE ecm:uuid = '${document.uid}' AND ${condition}`;
      const { body } = await server.request.get('/api/v1/search/execute').query({ query }).expect(200);
      return body.resultsCount;
    };
    expect(await found('ecm:isRecord = 1 AND ecm:hasLegalHold = 1')).toBe(1);
    expect(await found(`ecm:retainUntil > DATE '2998-01-01'`)).toBe(1);
    expect(await found('ecm:isRecord = 0')).toBe(0);
  });

  test('a copy and a proxy are not retained', async () => {
    const { document, top } = await held();
    const copy = (await run('Document.Copy', document.uid, { target: top.uid }).expect(200)).body;
    await updateDocument(server.request, copy.uid, { 'dc:title': 'changed' }).expect(200);
    const section = await createDocument(server, { type: 'Section' });
    const { body: proxy } = await run('Document.PublishToSection', document.uid, { target: section.uid });
    expect(await fieldsOf(proxy)).toEqual([false, null, false, false]);
    await run('Document.Delete', proxy.uid).expect(204);
  });
});

describe('§3 retention', () => {
  test('may be prolonged, and is never shortened', async () => {
    const { uid } = await createDocument(server);
    const set = (until: string) => run('Document.SetRetention', uid, { until });
    await set('2998-01-01T00:00:00Z').expect(200);
    await set(later).expect(200);
    await set(later).expect(200);
    for (const until of ['2998-12-31T23:59:59Z', '2001-01-01']) {
      const { status, body } = await set(until);
      expect([status, body.message]).toEqual([403, expect.stringMatching(/retention is never shortened$/)]);
    }
    expect(await readDocument(server.request, uid)).toMatchObject({ retainUntil: later });
  });

  test('ends by itself', async () => {
    const { uid } = await createDocument(server);
    await run('Document.SetRetention', uid, { until: later }).expect(200);
    await updateDocument(server.request, uid, { 'dc:title': 'changed' }).expect(403);
    await breakBy(server, `UPDATE document SET retain_until = now() - interval '1 ms' WHERE id = '${uid}'`);
    expect(await readDocument(server.request, uid)).toMatchObject({ isUnderRetentionOrLegalHold: false });
    await updateDocument(server.request, uid, { 'dc:title': 'changed' }).expect(200);
    await server.request.delete(atId(uid)).expect(204);
  });

  test('covers the versions of a document, at the same number of statements', async () => {
    const [none, many] = [await createDocument(server), await createDocument(server)];
    for (let made = 0; made < 5; made += 1)
      await run('Document.CreateVersion', many.uid, { increment: 'Minor' }).expect(200);
    const costs = [none, many].map(async ({ uid }) =>
      statements(await run('Document.Hold', uid).expect(200)),
    );
    const [first, second] = await Promise.all(costs);
    expect(second).toBe(first);

    const { body } = await run('Document.GetVersions', many.uid).expect(200);
    const [version] = body.entries as [DocumentEntity];
    expect(version).toMatchObject({ hasLegalHold: true });
    const { body: refused } = await server.request.delete(atId(version.uid)).expect(403);
    expect(refused).toMatchObject(refusalOf(version));
    for (const operation of ['Hold', 'Unhold', 'MakeRecord'])
      await run(`Document.${operation}`, version.uid).expect(400);
    await run('Document.Unhold', many.uid).expect(200);
    await server.request.delete(atId(version.uid)).expect(204);
  });

  test('takes Remove from the permissions of administrators', async () => {
    const { document } = await held();
    const permissionsOf = async () => {
      const { body } = await server.request.get(atId(document.uid)).set('enrichers.document', 'permissions');
      return body.contextParameters.permissions;
    };
    expect(await permissionsOf()).not.toContain('Remove');
    await run('Document.Unhold', document.uid).expect(200);
    expect(await permissionsOf()).toContain('Remove');
  });
});

describe('§3 what is under legal hold is refused with 403, for administrators too', () => {
  type Held = Awaited<ReturnType<typeof held>>;
  const put = (body: Record<string, unknown>) => (found: Held) =>
    server.request.put(atId(found.document.uid)).send(documentBody(body));
  const ways: Record<string, (found: Held) => ReturnType<typeof server.request.get>> = {
    'a PUT of properties': put({ properties: { 'dc:title': 'changed' } }),
    'a PUT that makes a version': (found) =>
      put({ properties: { 'dc:title': 'changed' } })(found).set('X-Versioning-Option', 'MAJOR'),
    'a PUT of a blob': put({ properties: { 'file:content': null } }),
    'the removal of the blob': ({ document }) =>
      server.request.delete(`${atId(document.uid)}/@blob/file:content`),
    'a DELETE': ({ document }) => server.request.delete(atPath(document.path)),
    'a DELETE of its folder': ({ folder }) => server.request.delete(atId(folder.uid)),
    'a DELETE of the folder above': ({ top }) => server.request.delete(atPath(top.path)),
    'the trash of the folder above': ({ top }) => run('Document.Trash', top.uid),
    'a move of the folder above': ({ top }) => run('Document.Move', top.uid, { name: 'elsewhere' }),
    'a move': ({ document, top }) => run('Document.Move', document.uid, { target: top.uid }),
    'a transition': ({ document }) =>
      run('Document.FollowLifecycleTransition', document.uid, { value: 'approve' }),
    'an operation on a list': ({ document, top }) => run('Document.Delete', [document.uid, top.uid]),
    'an operation behind an adapter': ({ top }) =>
      server.request.post(`${atPath(top.path)}/@op/Document.Delete`).send({}),
  };

  test.each(Object.entries(ways))('%s', async (_, send) => {
    const found = await held();
    const { status, body } = await send(found);
    expect([status, body]).toEqual([403, expect.objectContaining(refusalOf(found.document))]);
    const { path, title, state, properties } = await readDocument(server.request, found.document.uid);
    expect({ path, title, state }).toEqual({
      path: found.document.path,
      title: found.document.title,
      state: 'project',
    });
    expect(properties['file:content']).toMatchObject({ name: blob.name });
  });

  test.each([
    'updateDocument(id: $id, document: { properties: $change }) { uid }',
    'deleteDocument(id: $id)',
    'documentTrash(input: { document: $id }) { kind }',
  ])('GraphQL: %s', async (field) => {
    const { document } = await held();
    const query = `mutation ($id: ID!, $change: JSON) { ${field} }`.replace(
      field.includes('$change') ? '' : ', $change: JSON',
      '',
    );
    const change = { 'dc:title': 'changed' };
    await expect(askGraphql(server.request, query, { id: document.uid, change })).rejects.toThrow(
      'is under retention or legal hold',
    );
    expect(await readDocument(server.request, document.uid)).toMatchObject({ title: document.title });
  });

  test('the members of a collection', async () => {
    const [collection, member, other] = [
      await createDocument(server, { type: 'Collection' }),
      await createDocument(server),
      await createDocument(server),
    ];
    const params = { collection: collection.uid };
    await run('Document.AddToCollection', member.uid, params).expect(200);
    await run('Document.Hold', collection.uid).expect(200);
    for (const [operation, { uid }] of [
      ['Document.AddToCollection', other],
      ['Collection.RemoveFromCollection', member],
    ] as const)
      expect((await run(operation, uid, params).expect(403)).body).toMatchObject(refusalOf(collection));
  });

  test('after Unhold everything is possible again', async () => {
    const { document, top } = await held();
    await run('Document.Unhold', document.uid).expect(200);
    await updateDocument(server.request, document.uid, { 'dc:title': 'changed' }).expect(200);
    await server.request.delete(atPath(top.path)).expect(204);
  });
});

test('§2.5 each operation of retention needs a permission of its own, which Write does not contain', async () => {
  const needs = {
    'Document.MakeRecord': 'MakeRecord',
    'Document.SetRetention': 'SetRetention',
    'Document.Hold': 'ManageLegalHold',
    'Document.Unhold': 'ManageLegalHold',
  } as const;
  for (const [operation, permission] of Object.entries(needs)) {
    const { uid, path } = await createDocument(server);
    await setAcl(server, path, [grant('bob', 'ReadWrite'), deny('Everyone', 'Everything')]);
    const params = { ...(operation === 'Document.SetRetention' && { until: later }) };
    await call(bob, operation, { input: uid, params }).expect(403);
    await setAcl(server, path, [grant('bob', permission), deny('Everyone', 'Everything')]);
    await call(bob, operation, { input: uid, params }).expect(200);
  }
});
