import { beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../src/automation/index.ts';
import { setAcl } from '../support/acls.ts';
import { atId, createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

const server = useServer();
const reader = as(server, 'reader');
const stranger = as(server, 'stranger');
let document: DocumentEntity;

beforeAll(async () => {
  await createUser(server, 'reader');
  await createUser(server, 'stranger');
  document = await createDocument(server, { type: 'Folder' });
  await setAcl(server, document.path, [
    { username: 'reader', permission: 'Read' },
    { username: 'Everyone', permission: 'Everything', granted: false },
  ]);
});

const nowhere = '00000000-0000-4000-8000-000000000000';
const unknown = { 'dc:nosuch': 1 };
const entity = (properties: object) => ({ 'entity-type': 'document', name: 'a', type: 'File', properties });
const called = (params: object) => (uid: string) => ({ input: uid, params });

type Request = readonly [
  method: 'post' | 'put',
  address: (uid: string) => string,
  body: (uid: string) => object,
  status: number,
];

const writes: Record<string, Request> = {
  'PUT with an unknown property': ['put', atId, () => entity(unknown), 400],
  'PUT with a value that breaks a constraint': ['put', atId, () => entity({ 'dc:nature': 'nosuch' }), 422],
  'PUT without an entity type': ['put', atId, () => ({ properties: {} }), 400],
  'PUT of an object with an unknown property': [
    'put',
    (uid) => `${atId(uid)}/@bo/Folder`,
    () => ({ value: 1 }),
    400,
  ],
  'POST with an unknown property': ['post', atId, () => entity(unknown), 400],
  'POST without a name': ['post', atId, () => ({ 'entity-type': 'document', type: 'File' }), 400],
  'a workflow without a model': [
    'post',
    (uid) => `${atId(uid)}/@workflow`,
    () => ({ 'entity-type': 'workflow' }),
    400,
  ],
  'Document.Update with an unknown property': [
    'post',
    () => '/api/v1/automation/Document.Update',
    called({ properties: unknown }),
    400,
  ],
  'Document.Update as an execution, with a faulty line': [
    'post',
    () => '/api/v1/automation/Document.Update/@async',
    called({ properties: 'dc:title' }),
    400,
  ],
  'Document.Update with a faulty line': [
    'post',
    () => '/api/v1/automation/Document.Update',
    called({ properties: 'dc:title' }),
    400,
  ],
  'Document.Update of a list': [
    'post',
    () => '/api/v1/automation/Document.Update',
    (uid) => ({ input: [uid, uid], params: { properties: unknown } }),
    400,
  ],
  'Document.Update at its document': [
    'post',
    (uid) => `${atId(uid)}/@op/Document.Update`,
    () => ({ params: { properties: 1 } }),
    400,
  ],
  'Document.SetProperty without a property': [
    'post',
    () => '/api/v1/automation/Document.SetProperty',
    called({}),
    400,
  ],
  'Document.Create of an unknown type': [
    'post',
    () => '/api/v1/automation/Document.Create',
    called({ type: 'Nosuch' }),
    400,
  ],
  'Document.AddPermission for unknown users': [
    'post',
    () => '/api/v1/automation/Document.AddPermission',
    called({ users: ['nobody'], permission: 'Read' }),
    400,
  ],
  'Services.UntagDocument with a faulty list': [
    'post',
    () => '/api/v1/automation/Services.UntagDocument',
    called({ tags: [null] }),
    400,
  ],
  'RunOperation of Document.Update': [
    'post',
    () => '/api/v1/automation/RunOperation',
    called({ id: 'Document.Update', parameters: { properties: unknown } }),
    400,
  ],
};

describe('§7 the rights of a caller come before the faults of a body', () => {
  test.each(Object.entries(writes))('%s', async (_, [method, address, body, status]) => {
    const send = (request: typeof reader, uid: string) => request[method](address(uid)).send(body(uid));
    expect((await send(server.request, document.uid)).status).toBe(status);
    const refused = await send(reader, document.uid).expect(403);
    expect(refused.body.message).toMatch(
      /^Privilege '\w+' is not granted to 'reader' on the document at \/\S+\.$/,
    );
    expect((await send(stranger, document.uid)).status).toBe(403);
    expect((await send(server.request, nowhere)).status).toBe(404);
  });

  test('a faulty comment is 403 for those who cannot read the document', async () => {
    const at = `${atId(document.uid)}/@comment`;
    await reader.post(at).send({ text: 1 }).expect(400);
    await stranger.post(at).send({ text: 1 }).expect(403);
  });

  test('a large body is not parsed', async () => {
    const text = `{"properties": ${' '.repeat(200_000)}`;
    const send = (request: typeof reader) =>
      request.put(atId(document.uid)).set('Content-Type', 'application/json').send(text);
    expect((await send(server.request).expect(400)).body.message).toContain('JSON');
    await send(reader).expect(403);
  });

  test('a caller with the right to write but not to read learns the fault', async () => {
    const own = await createDocument(server, { type: 'Folder' });
    await setAcl(server, own.path, [
      { username: 'stranger', permission: 'WriteProperties' },
      { username: 'Everyone', permission: 'Everything', granted: false },
    ]);
    await stranger.put(atId(own.uid)).send(entity(unknown)).expect(400);
  });
});

const asCalled = 'The right is that of the operation that it calls.';
const asInput = 'It takes any input, and reads a document of it as a later operation would.';
const noParams = 'It has no parameters whose faults could come first.';

/** Operations on documents that declare no right of their input, and why. */
const withoutDeclaredRight: Readonly<Record<string, string>> = {
  'Context.PushDocument': asInput,
  'Context.PushDocumentList': asInput,
  'Context.SetInputAsVar': asInput,
  'Document.Delete': `${noParams} A version needs WriteVersion on its document, any other document Remove.`,
  'Document.Move': 'Without a target it renames, which needs WriteProperties; with one it needs Remove.',
  'Document.Order': 'The right is that of the folder of the document.',
  'Document.Unlock': `${noParams} The owner of the lock needs no right, and anybody else needs Unlock.`,
  RunDocumentOperation: asCalled,
  RunInputOperation: asCalled,
  RunOperation: asCalled,
  RunOperationOnList: asCalled,
  RunOperationOnProvider: asCalled,
};

const onDocuments = operations.filter(
  ({ takes, isForAdministrators, isNotServed }) =>
    !isForAdministrators && !isNotServed && takes.some((kind) => kind === 'document' || kind === 'documents'),
);

describe('§4.7 the rights of a caller of an operation come before the faults of its parameters', () => {
  test('every operation on documents declares the right, or is named here', () => {
    const undeclared = onDocuments.filter(({ needs }) => needs === undefined).map(({ id }) => id);
    expect(undeclared.sort()).toEqual(Object.keys(withoutDeclaredRight).sort());
  });

  const declared = onDocuments.filter(({ needs, needsPrograms }) => needs !== undefined && !needsPrograms);
  test.each(declared.map(({ id }) => id))('%s', async (id) => {
    const call = (request: typeof reader, input: string) =>
      request
        .post(`/api/v1/automation/${id}`)
        .set('Prefer', 'handling=strict')
        .send({ input, params: { nosuch: 1 } });
    const told = await call(server.request, document.uid);
    expect([told.status, told.body.message]).toEqual([400, expect.stringContaining('nosuch')]);
    expect((await call(stranger, document.uid)).status).toBe(403);
    expect((await call(server.request, nowhere)).status).toBe(404);
  });
});
