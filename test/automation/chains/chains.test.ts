import { describe, expect, test } from '@jest/globals';
import type { ChainDefinition } from '../../../src/model/chains/chain-definitions.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { askGraphql, call, calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';
import { folderWith } from './chain-documents.ts';

const titled = (title: string, more: Record<string, unknown> = {}) => ({
  id: 'Document.Update',
  params: { properties: { 'dc:title': title, ...more } },
});

const chains: ChainDefinition[] = [
  {
    name: 'publishNote',
    label: 'Publish a note',
    description: 'Creates a note below the input and describes it.',
    params: [
      { name: 'title', description: 'Its title.', required: true },
      { name: 'lines', type: 'integer', default: 3 },
      { name: 'nature', values: ['memo', 'letter'], default: 'memo' },
    ],
    operations: [
      { id: 'Context.SetVar', params: { name: 'folder', value: 'expr:Document' } },
      { id: 'Document.Create', params: { type: 'Note', name: 'expr:ChainParameters["title"]' } },
      {
        id: 'Document.Update',
        params: {
          properties: {
            'dc:title': 'expr:ChainParameters.title',
            'dc:description': "expr:@{Document.name} in @{folder.path}: @{ChainParameters['lines']} lines",
            'dc:nature': 'expr:ChainParameters.nature',
          },
        },
      },
    ],
  },
  {
    name: 'twoSteps',
    operations: [titled('first'), { id: 'Document.FollowLifecycleTransition', params: { value: 'odd' } }],
  },
  { name: 'again', operations: [titled('x'), { id: 'again' }] },
  {
    name: 'inner',
    operations: [
      { id: 'publishNote', params: { title: 'expr:Context.wanted' } },
      { id: 'Document.GetParent' },
    ],
  },
  { name: 'forAdministrators', isForAdministrators: true, operations: [titled('by an administrator')] },
  { name: 'hiddenStep', operations: [titled('before'), { id: 'Audit.Query' }] },
  {
    name: 'lastIsSet',
    operations: [titled('changed'), { id: 'Context.SetVar', params: { name: 'a', value: 1 } }],
  },
  {
    name: 'copyFile',
    operations: [
      { id: 'Document.GetBlob' },
      { id: 'Blob.AttachOnDocument', params: { document: 'expr:target' } },
    ],
  },
];

const server = useServer({}, { chains });
const bob = useUser(server, 'bob');
const run = calling(server);

const titleOf = async ({ uid }: DocumentEntity) => (await readDocument(server.request, uid)).title;

describe('§4.7 a contributed chain', () => {
  test('is listed among the chains, with its parameters and what comes of its input', async () => {
    const { body } = await server.request.get('/api/v1/automation').expect(200);
    const ids = body.chains.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(chains.map(({ name }) => name));
    const listed = {
      id: 'publishNote',
      label: 'Publish a note',
      category: 'Chain',
      requires: null,
      description: 'Creates a note below the input and describes it.',
      url: 'Chain.publishNote',
      signature: ['document', 'document', 'documents', 'documents'],
      params: [
        { name: 'title', description: 'Its title.', type: 'string', required: true, order: 0, values: [] },
        { name: 'lines', type: 'integer', required: false, order: 1 },
        { name: 'nature', type: 'string', values: ['memo', 'letter'] },
      ],
    };
    expect(body.chains[0]).toMatchObject(listed);
    for (const name of ['publishNote', 'Chain.publishNote'])
      expect((await server.request.get(`/api/v1/automation/${name}`).expect(200)).body).toMatchObject(listed);
    const { operations } = await askGraphql<{ operations: { chains: Array<{ id: string }> } }>(
      server.request,
      '{ operations { chains { id url } } }',
    );
    expect(operations.chains.map(({ id }) => id)).toEqual(ids);
    const { body: seen } = await bob.get('/api/v1/automation').expect(200);
    expect(seen.chains.map(({ id }: { id: string }) => id)).not.toContain('forAdministrators');
    await bob.get('/api/v1/automation/forAdministrators').expect(403);
  });

  test('is called by its name, as an adapter and through GraphQL, and its operations see one after the other', async () => {
    const { folder } = await folderWith(server, 0);
    const described = (name: string, lines = 3, nature = 'memo') => ({
      'entity-type': 'document',
      path: `${folder.path}/${name}`,
      type: 'Note',
      title: name,
      properties: {
        'dc:description': `${name} in ${folder.path}: ${lines} lines`,
        'dc:nature': nature,
      },
    });
    const { body } = await run('publishNote', folder.path, { title: 'one', lines: '', nature: '' })
      .set('properties', 'dublincore')
      .expect(200);
    expect(body).toMatchObject(described('one'));
    const { body: prefixed } = await run('Chain.publishNote', folder.uid, {
      title: 'two',
      lines: '4',
      nature: 'letter',
    })
      .set('properties', '*')
      .expect(200);
    expect(prefixed).toMatchObject(described('two', 4, 'letter'));
    const adapter = `${atId(folder.uid)}/@op/publishNote`;
    const { body: adapted } = await server.request
      .post(adapter)
      .set('properties', '*')
      .send({ input: {}, params: { title: 'three' } })
      .expect(200);
    expect(adapted).toMatchObject(described('three'));
    const { callOperation } = await askGraphql<{ callOperation: object }>(
      server.request,
      `mutation ($id: ID!) {
        callOperation(name: "publishNote", input: {document: $id}, params: {title: "four"}) { kind document { path } }
      }`,
      { id: folder.uid },
    );
    expect(callOperation).toEqual({ kind: 'document', document: { path: `${folder.path}/four` } });
  });

  test('calls other chains, with the variables of the caller', async () => {
    const { folder } = await folderWith(server, 0);
    const { body } = await call(server.request, 'inner', {
      input: folder.path,
      context: { wanted: 'from outside' },
    }).expect(200);
    expect(body.uid).toBe(folder.uid);
    expect((await readDocument(server.request, `${folder.path}/from outside`)).type).toBe('Note');
  });

  test('answers its input where the last operation leaves it as it is', async () => {
    const { documents } = await folderWith(server, 1);
    const { body } = await run('lastIsSet', documents[0]?.uid).expect(200);
    expect(body).toMatchObject({ uid: documents[0]?.uid, title: 'changed' });
  });

  test('works on each of a list', async () => {
    const { documents } = await folderWith(server, 2);
    const { body } = await run(
      'lastIsSet',
      documents.map(({ uid }) => uid),
    ).expect(200);
    expect(body.entries.map(({ title }: DocumentEntity) => title)).toEqual(['changed', 'changed']);
  });

  test('passes files on, and the texts of notes', async () => {
    const { folder, documents } = await folderWith(server, 1);
    const note = await createDocument(server, {
      parent: folder.path,
      type: 'Note',
      properties: { 'note:note': 'a text' },
    });
    const target = documents[0]?.path;
    await call(server.request, 'copyFile', { input: note.path, context: { target } }).expect(200);
    const file = await server.request.get(`${atId(documents[0]?.uid ?? '')}/@blob/file:content`).expect(200);
    expect(file.text).toBe('a text');
  });

  test('can be called without waiting', async () => {
    const { folder } = await folderWith(server, 0);
    const sent = { input: folder.path, params: { title: 'later' } };
    const { headers } = await server.request
      .post('/api/v1/automation/publishNote/@async')
      .send(sent)
      .expect(202);
    const status = new URL(String(headers.location)).pathname;
    expect(status).toMatch(/\/automation\/publishNote\/@async\/[^/]+\/status$/);
    await until(async () => (await server.request.get(status).redirects(0)).status === 303);
    const { body } = await server.request.get(status.replace(/\/status$/, '')).expect(200);
    expect(body).toMatchObject({ title: 'later' });
    await server.request.post('/api/v1/automation/nosuch/@async').send({}).expect(404);
  });

  test('is refused with a parameter that is missing or wrong, and with unknown ones where the caller asks for it', async () => {
    const refusal = async (params: object) =>
      (await server.request.post('/api/v1/automation/publishNote').send({ input: '/', params }).expect(400))
        .body.message;
    expect(await refusal({})).toBe('title is missing');
    expect(await refusal({ title: 'a', lines: 'x', nature: 'odd' })).toBe(
      'lines must be an integer; nature must be one of memo, letter',
    );
    const { body } = await run('publishNote', '/', { title: 'a', odd: 1 })
      .set('Prefer', 'handling=strict')
      .expect(400);
    expect(body.message).toBe('publishNote has no parameter odd');
    const { body: unknown } = await run('nosuchchain').expect(404);
    expect(unknown.message).toMatch(/^Operation: nosuchchain does not exist\./);
    await run('nosuchchain', undefined, {}, bob).expect(404);
  });
});

describe('§4.7 all operations of a chain', () => {
  test('are one transaction: a failure undoes all of them', async () => {
    const { documents } = await folderWith(server, 1);
    const [document] = documents as [DocumentEntity];
    const { body } = await run('twoSteps', document.uid);
    expect(body).toMatchObject({ status: 400, message: expect.stringMatching(/odd/) });
    const after = await readDocument(server.request, document.uid);
    expect([after.title, after.changeToken]).toEqual([document.title, document.changeToken]);
  });

  test('are bounded, where a chain calls itself', async () => {
    const { documents } = await folderWith(server, 1);
    const [document] = documents as [DocumentEntity];
    const { body } = await run('again', document.uid).expect(400);
    expect(body.message).toBe('again: operations cannot call each other more than 32 levels deep.');
    expect(await titleOf(document)).toBe(document.title);
  });

  test('need the permissions that they need alone', async () => {
    const { folder, documents } = await folderWith(server, 1);
    const [document] = documents as [DocumentEntity];
    await setAcl(server, folder.path, [grant('bob', 'Read'), deny('Everyone', 'Everything')]);
    const { body } = await run('lastIsSet', document.uid, {}, bob).expect(403);
    expect(body.message).toBe(
      `Privilege 'WriteProperties' is not granted to 'bob' on the document at ${document.path}.`,
    );
    const { body: create } = await run('publishNote', folder.uid, { title: 'a' }, bob).expect(403);
    expect(create.message).toBe(
      `Privilege 'AddChildren' is not granted to 'bob' on the document at ${folder.path}.`,
    );
    await setAcl(server, folder.path, [grant('bob', 'ReadWrite')]);
    await run('lastIsSet', document.uid, {}, bob).expect(200);
  });

  test('for administrators are 403 for others, and nothing is done', async () => {
    const { folder, documents } = await folderWith(server, 1);
    const [document] = documents as [DocumentEntity];
    await setAcl(server, folder.path, [grant('bob', 'ReadWrite')]);
    await run('hiddenStep', document.uid).expect(200);
    const before = await readDocument(server.request, document.uid);
    const { body } = await run('hiddenStep', document.uid, {}, bob).expect(403);
    expect(body.message).toBe('Only administrators can call Audit.Query; bob is not one.');
    const { body: whole } = await run('forAdministrators', document.uid, {}, bob).expect(403);
    expect(whole.message).toBe('Only administrators can call forAdministrators; bob is not one.');
    const { body: called } = await run('RunOperation', document.uid, { id: 'Audit.Query' }, bob).expect(403);
    expect(called.message).toBe('Only administrators can call Audit.Query; bob is not one.');
    expect((await readDocument(server.request, document.uid)).changeToken).toBe(before.changeToken);
    await server.anonymous.post('/api/v1/automation/lastIsSet').send({}).expect(401);
  });

  test('leave what is retained as it is', async () => {
    const { documents } = await folderWith(server, 1);
    const [document] = documents as [DocumentEntity];
    await run('Document.Hold', document.uid).expect(200);
    const { body } = await run('lastIsSet', document.uid).expect(403);
    expect(body.message).toMatch(/legal hold$/);
  });
});
