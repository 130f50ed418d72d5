import { describe, expect, test } from '@jest/globals';
import type { ChainDefinition } from '../../../src/model/chains/chain-definitions.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { askGraphql, call, calling } from '../../support/requests.ts';
import { startServer, statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

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
    name: 'rename',
    operations: [{ id: 'Document.SetProperty', params: { xpath: 'dc:title', value: 'expr:item["title"]' } }],
  },
  {
    name: 'toItem',
    operations: [
      { id: 'Context.RestoreDocumentInput', params: { name: 'item' } },
      {
        id: 'Document.Update',
        params: { properties: 'expr:dc:title=of @{item.name}\ndc:description=@{text}' },
      },
    ],
  },
  {
    name: 'copyFile',
    operations: [
      { id: 'Document.GetBlob' },
      { id: 'Blob.AttachOnDocument', params: { document: 'expr:target' } },
    ],
  },
  { name: 'childrenOf', operations: [{ id: 'Document.GetChildren' }] },
];

const server = useServer({}, { chains });
const bob = useUser(server, 'bob');
const run = calling(server);

async function folderWith(count: number): Promise<{ folder: DocumentEntity; documents: DocumentEntity[] }> {
  const folder = await createDocument(server, { type: 'Folder' });
  const documents: DocumentEntity[] = [];
  for (let index = 0; index < count; index += 1)
    documents.push(await createDocument(server, { parent: folder.path, name: `d${index}` }));
  return { folder, documents };
}

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
    await bob.get('/api/v1/automation/forAdministrators').expect(404);
  });

  test('is called by its name, as an adapter and through GraphQL, and its operations see one after the other', async () => {
    const { folder } = await folderWith(0);
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
    const { body } = await run('publishNote', folder.path, { title: 'one' })
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
      .send({ params: { title: 'three' } })
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
    const { folder } = await folderWith(0);
    const { body } = await call(server.request, 'inner', {
      input: folder.path,
      context: { wanted: 'from outside' },
    }).expect(200);
    expect(body.uid).toBe(folder.uid);
    expect((await readDocument(server.request, `${folder.path}/from outside`)).type).toBe('Note');
  });

  test('answers its input where the last operation leaves it as it is', async () => {
    const { documents } = await folderWith(1);
    const { body } = await run('lastIsSet', documents[0]?.uid).expect(200);
    expect(body).toMatchObject({ uid: documents[0]?.uid, title: 'changed' });
  });

  test('works on each of a list', async () => {
    const { documents } = await folderWith(2);
    const { body } = await run(
      'lastIsSet',
      documents.map(({ uid }) => uid),
    ).expect(200);
    expect(body.entries.map(({ title }: DocumentEntity) => title)).toEqual(['changed', 'changed']);
  });

  test('passes files on, and the texts of notes', async () => {
    const { folder, documents } = await folderWith(1);
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
    const { folder } = await folderWith(0);
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
    expect(await refusal({})).toBe('title: is missing');
    expect(await refusal({ title: 'a', lines: 'x', nature: 'odd' })).toBe(
      'lines: is no whole number; nature: is none of memo, letter',
    );
    const { body } = await run('publishNote', '/', { title: 'a', odd: 1 })
      .set('Prefer', 'handling=strict')
      .expect(400);
    expect(body.message).toBe('odd: publishNote has no such parameter');
    const { body: unknown } = await run('nosuchchain').expect(404);
    expect(unknown.message).toBe('there is no operation nosuchchain');
    await run('nosuchchain', undefined, {}, bob).expect(404);
  });
});

describe('§4.7 all operations of a chain', () => {
  test('are one transaction: a failure undoes all of them', async () => {
    const { documents } = await folderWith(1);
    const [document] = documents as [DocumentEntity];
    const { body } = await run('twoSteps', document.uid);
    expect(body).toMatchObject({ status: 400, message: expect.stringMatching(/odd/) });
    const after = await readDocument(server.request, document.uid);
    expect([after.title, after.changeToken]).toEqual([document.title, document.changeToken]);
  });

  test('are bounded, where a chain calls itself', async () => {
    const { documents } = await folderWith(1);
    const [document] = documents as [DocumentEntity];
    const { body } = await run('again', document.uid).expect(400);
    expect(body.message).toBe('again: operations call each other more than 32 deep');
    expect(await titleOf(document)).toBe(document.title);
  });

  test('need the permissions that they need alone', async () => {
    const { folder, documents } = await folderWith(1);
    const [document] = documents as [DocumentEntity];
    await setAcl(server, folder.path, [grant('bob', 'Read'), deny('Everyone', 'Everything')]);
    const { body } = await run('lastIsSet', document.uid, {}, bob).expect(403);
    expect(body.message).toBe("Privilege 'WriteProperties' is not granted to 'bob'");
    const { body: create } = await run('publishNote', folder.uid, { title: 'a' }, bob).expect(403);
    expect(create.message).toBe("Privilege 'AddChildren' is not granted to 'bob'");
    await setAcl(server, folder.path, [grant('bob', 'ReadWrite')]);
    await run('lastIsSet', document.uid, {}, bob).expect(200);
  });

  test('for administrators are 404 for others, and nothing is done', async () => {
    const { folder, documents } = await folderWith(1);
    const [document] = documents as [DocumentEntity];
    await setAcl(server, folder.path, [grant('bob', 'ReadWrite')]);
    await run('hiddenStep', document.uid).expect(200);
    const before = await readDocument(server.request, document.uid);
    const { body } = await run('hiddenStep', document.uid, {}, bob).expect(404);
    expect(body.message).toBe('there is no operation Audit.Query');
    const { body: whole } = await run('forAdministrators', document.uid, {}, bob).expect(404);
    expect(whole.message).toBe('there is no operation forAdministrators');
    const { body: called } = await run('RunOperation', document.uid, { id: 'Audit.Query' }, bob).expect(404);
    expect(called.message).toBe('there is no operation Audit.Query');
    expect((await readDocument(server.request, document.uid)).changeToken).toBe(before.changeToken);
    await server.anonymous.post('/api/v1/automation/lastIsSet').send({}).expect(401);
  });

  test('leave what is retained as it is', async () => {
    const { documents } = await folderWith(1);
    const [document] = documents as [DocumentEntity];
    await run('Document.Hold', document.uid).expect(200);
    const { body } = await run('lastIsSet', document.uid).expect(403);
    expect(body.message).toMatch(/legal hold$/);
  });
});

describe('§4.7 scripts', () => {
  test.each(['RunScript', 'Context.RunScript', 'RunInputScript', 'RunFileScript', 'javascript.some_thing'])(
    'are not served: %s is 501',
    async (name) => {
      const message = `${name}: scripts are not served`;
      const { body } = await run(name, '/', { script: 'x' }).expect(501);
      expect(body).toMatchObject({ 'entity-type': 'exception', status: 501, message });
      const { body: inner } = await run('RunOperation', '/', { id: name }).expect(501);
      expect(inner.message).toBe(message);
      await server.request.post(`/api/v1/path/@op/${name}`).send({}).expect(501);
      await server.request.get(`/api/v1/automation/${name}`).expect(501);
      await server.request.post(`/api/v1/automation/${name}/@async`).send({}).expect(501);
      await server.anonymous.post(`/api/v1/automation/${name}`).send({}).expect(401);
    },
  );
});

describe('§4.7 RunOperationOnList', () => {
  const onList = (input: unknown, params: object, context: object, request = server.request) =>
    call(request, 'RunOperationOnList', { input, params: { ...params }, context });

  test('calls a chain with each item of a variable', async () => {
    const { documents } = await folderWith(1);
    const [document] = documents as [DocumentEntity];
    const items = [{ title: 'a' }, { title: 'b' }];
    const { body } = await onList(document.uid, { id: 'rename', list: 'items' }, { items }).expect(200);
    expect(body).toMatchObject({ uid: document.uid, title: 'b' });
  });

  test('calls an operation whose parameters name the item', async () => {
    const { folder, documents } = await folderWith(3);
    const list = documents.map(({ uid }) => uid);
    const parameters = { name: 'expr:one' };
    await onList(
      '/',
      { id: 'Document.GetChild', list: documents.map(({ name }) => name), itemName: 'one', parameters },
      {},
    ).expect(404);
    const found = { list, itemName: 'one', id: 'toItem', parameters: {} };
    await onList(folder.uid, { ...found, itemName: 'item' }, { text: 'x\ndc:nature=odd' }).expect(400);
  });

  test('is refused without a list, and with an unknown variable', async () => {
    const refusal = async (params: object, context: object = {}) =>
      (await onList('/', { id: 'rename', ...params }, context).expect(400)).body.message;
    expect(await refusal({})).toBe('list: is missing');
    expect(await refusal({ list: 'nosuch' })).toBe('there is no variable nosuch');
    expect(await refusal({ list: 'a' }, { a: 1 })).toBe('a is no list');
    expect(
      await refusal(
        { list: 'a' },
        { a: [1], ...Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`v${index}`, 0])) },
      ),
    ).toBe('there are more than 1000 variables');
  });

  test('runs a bounded number of operations', async () => {
    const { folder } = await folderWith(0);
    const list = Array.from({ length: 1000 }, () => folder.uid);
    const nested = {
      id: 'RunOperationOnList',
      list,
      parameters: { id: 'Context.SetVar', list, parameters: { name: 'x', value: 1 } },
    };
    const { body } = await onList('/', nested, {}).expect(400);
    expect(body.message).toBe('the call runs more than 10000 operations');
  });

  test('costs as many statements for each item, and no more for the later ones', async () => {
    const { documents } = await folderWith(1);
    const [document] = documents as [DocumentEntity];
    const cost = async (count: number) => {
      const items = Array.from({ length: count }, (_, index) => ({ title: `${count} ${index}` }));
      return statements(await onList(document.uid, { id: 'rename', list: 'items' }, { items }).expect(200));
    };
    await cost(1);
    const [two, four, eight] = [await cost(2), await cost(4), await cost(8)];
    expect(eight - four).toBe(2 * (four - two));
  });
});

describe('the variables of an operation that is called', () => {
  const chainOf = (isolate: boolean) => ({
    id: 'RunOperation',
    parameters: { id: 'Context.SetVar', isolate, newTx: true, parameters: { name: 'a', value: 'inside' } },
  });

  test('end with it where it is isolated', async () => {
    const { documents } = await folderWith(1);
    const [document] = documents as [DocumentEntity];
    for (const [isolate, expected] of [
      [true, 'outside'],
      [false, 'inside'],
    ] as const) {
      const sequence = [
        { id: 'RunOperation', params: chainOf(isolate).parameters },
        { id: 'Document.Update', params: { properties: { 'dc:title': 'expr:a' } } },
      ];
      await using other = await startServer({}, { chains: [{ name: 'sequence', operations: sequence }] });
      const { uid } = await createDocument(other);
      const { body } = await call(other.request, 'sequence', {
        input: uid,
        context: { a: 'outside' },
      }).expect(200);
      expect(body.title).toBe(expected);
    }
    expect(document.title).toBeTruthy();
  });
});
