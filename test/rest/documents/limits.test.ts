/** @group long, slow */
import { describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import type { ModelDefinition } from '../../../src/model/definitions.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { runBulkBelow } from '../../support/bulk.ts';
import {
  atId,
  atPath,
  createDocument,
  documentBody,
  readDocument,
  storeProperties,
  updateDocument,
  workspaces,
} from '../../support/documents.ts';
import { call, calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { atGroup, atUser, postGroup, postUser, userBody } from '../authorities/authority-requests.ts';
import { ofProvider, ofQuery, savedSearches } from '../search/saved-requests.ts';
import { reviewing } from '../workflows/workflow-requests.ts';

const bounded: Partial<ModelDefinition> = {
  schemas: [
    {
      name: 'bounded',
      prefix: 'b',
      fields: {
        text: { type: 'string', constraints: { maxLength: 3 } },
        texts: { type: 'string[]', constraints: { maxLength: 3, maxItems: 2 } },
        map: { type: 'complex[]', fields: { key: 'string', value: 'string' } },
        line: { type: 'complex', fields: { texts: { type: 'string[]', constraints: { maxItems: 2 } } } },
        long: { type: 'string', long: true },
        scan: 'blob',
      },
    },
    {
      name: 'var_Bounded',
      fields: {
        helpers: { type: 'string[]', constraints: { maxItems: 2 } },
        text: { type: 'string', constraints: { maxLength: 3 } },
      },
    },
    { name: 'code', fields: { id: 'string', label: { type: 'string', constraints: { maxLength: 3 } } } },
  ],
  types: [
    { name: 'Bounded', parent: 'Document', schemas: ['dublincore', 'bounded'], facets: ['Versionable'] },
  ],
  directories: [{ name: 'codes', schema: 'code' }],
  chains: [
    {
      name: 'setText',
      params: [{ name: 'text', required: true }],
      operations: [
        { id: 'Document.Update', params: { properties: { 'b:text': 'expr:ChainParameters.text' } } },
      ],
    },
  ],
  workflows: [
    {
      name: 'Bounded',
      title: 'Bounded',
      variables: 'var_Bounded',
      nodes: [
        {
          id: 'run',
          task: {
            name: 'Run',
            directive: 'Run',
            actors: 'initiator',
            shows: ['text', 'helpers'],
            takes: ['text', 'helpers'],
            buttons: [{ name: 'done', label: 'Done', validate: true }],
          },
          transitions: [{ to: 'end' }],
        },
        { id: 'end' },
      ],
    },
  ],
};

const server = useServer({}, bounded);
const { request } = server;
const run = calling(server);
const flow = reviewing(server);

const create = (properties: Record<string, unknown> = {}) =>
  createDocument(server, { type: 'Bounded', properties });

let count = 0;
const newName = (): string => {
  count += 1;
  return `made-${count}`;
};

const graphql = (query: string, variables: object) => request.post('/graphql').send({ query, variables });

const newDocument = (properties: object) => ({ type: 'Bounded', name: newName(), properties });

/** Each writes properties to a new or an existing document. */
const ways: Record<string, (properties: Record<string, unknown>) => Promise<supertest.Response>> = {
  POST: (properties) => request.post(atPath(workspaces)).send(documentBody(newDocument(properties))),
  PUT: async (properties) => updateDocument(request, (await create()).uid, properties),
  'createDocument of GraphQL': (properties) =>
    graphql(
      'mutation ($path: String!, $d: NewDocument!) { createDocument(parentPath: $path, document: $d) { uid } }',
      { path: workspaces, d: newDocument(properties) },
    ),
  'updateDocument of GraphQL': async (properties) =>
    graphql('mutation ($id: ID!, $d: DocumentChange!) { updateDocument(id: $id, document: $d) { uid } }', {
      id: (await create()).uid,
      d: { properties },
    }),
  'updateDocuments of GraphQL': async (properties) =>
    graphql(
      'mutation ($ids: [ID!]!, $d: DocumentChange!) { updateDocuments(ids: $ids, document: $d) { entries { uid } } }',
      { ids: [(await create()).uid, (await create()).uid], d: { properties } },
    ),
  'Document.Create': (properties) => run('Document.Create', workspaces, newDocument(properties)),
  'Document.Update': async (properties) => run('Document.Update', (await create()).uid, { properties }),
  'Document.SetProperty': async (properties) => {
    const [[xpath = '', value] = []] = Object.entries(properties);
    return run('Document.SetProperty', (await create()).uid, { xpath, value });
  },
  'Document.Update on a list of documents': async (properties) =>
    run('Document.Update', [(await create()).uid, (await create()).uid], { properties }),
};

const entries = (length: number) => Array.from({ length }, (_, index) => ({ key: `k${index}`, value: 'v' }));

const values: ReadonlyArray<
  [kind: string, xpath: string, atLimit: unknown, above: unknown, constraint: string, maximum: string]
> = [
  ['a text', 'b:text', '😀😀😀', '😀😀😀😀', 'LengthConstraint', '3'],
  ['a list', 'b:texts', ['a', 'b'], ['a', 'b', 'c'], 'ItemCountConstraint', '2'],
  ['an item', 'b:texts', ['abc'], ['abcd'], 'LengthConstraint', '3'],
  ['a map', 'b:map', entries(1_000), entries(1_001), 'ItemCountConstraint', '1000'],
  ['a title', 'dc:title', 'x'.repeat(10_000), 'x'.repeat(10_001), 'LengthConstraint', '10000'],
  ['a default', 'dc:source', 'x'.repeat(100_000), 'x'.repeat(100_001), 'LengthConstraint', '100000'],
];

const violationsOf = ({ body }: supertest.Response) =>
  (body.violations ?? body.errors?.[0].extensions.violations ?? []).map(
    (violation: { constraint: string | { name: string; parameters: object }; parameters?: object }) =>
      typeof violation.constraint === 'string'
        ? { name: violation.constraint, parameters: violation.parameters }
        : { name: violation.constraint.name, parameters: violation.constraint.parameters },
  );

describe.each(Object.entries(ways))('§8 %s', (_, write) => {
  test.each(values)('accepts %s at its limit, and refuses it one above', async (...row) => {
    const [, xpath, atLimit, above, name, Maximum] = row;
    const accepted = await write({ [xpath]: atLimit });
    expect([200, 201]).toContain(accepted.status);
    expect(accepted.body.errors).toBeUndefined();
    const refused = await write({ [xpath]: above });
    expect(refused.body.errors ? 422 : refused.status).toBe(422);
    expect(violationsOf(refused)).toEqual([{ name, parameters: { Maximum } }]);
  });
});

describe('§8 limits of the content model', () => {
  test('do not apply to long texts', async () => {
    const long = 'x'.repeat(200_000);
    await create({ 'b:long': long, 'dc:description': long });
    await createDocument(server, { type: 'Note', properties: { 'note:note': long } });
  });

  test('apply to a part of a property, and to items that operations add', async () => {
    const { uid } = await create({ 'b:texts': ['a'], 'b:map': entries(1_000) });
    await updateDocument(request, uid, { 'b:texts/0': 'abcd' }).expect(422);
    await updateDocument(request, uid, { 'b:map/0/value': 'x'.repeat(100_001) }).expect(422);
    const add = (value: string) =>
      run('Document.AddEntryToMultivaluedProperty', uid, { xpath: 'b:texts', value });
    await add('b').expect(200);
    await add('c').expect(422);
    const complexJsonProperties = JSON.stringify([{ key: 'k', value: 'v' }]);
    await run('Document.AddItemToListProperty', uid, { xpath: 'b:map', complexJsonProperties }).expect(422);
  });

  test('apply to a list of 100,000 items that a schema does not limit', async () => {
    const { uid } = await create();
    await storeProperties(server, uid, { 'dc:subjects': Array(99_999).fill('art') });
    const add = () =>
      run('Document.AddEntryToMultivaluedProperty', uid, {
        xpath: 'dc:subjects',
        value: 'art',
        checkExists: false,
      });
    await add().expect(200);
    const { body } = await add().expect(422);
    expect(body.violations).toEqual([
      expect.objectContaining({
        messageKey: 'label.schema.constraint.violation.ItemCountConstraint',
        message: 'This list has more than 100000 items.',
        path: [{ field_name: 'dc:subjects', is_list_item: false }],
      }),
    ]);
    expect(body.violations[0]).not.toHaveProperty('invalid_value');
  });

  test('apply to chains', async () => {
    const { uid } = await create();
    const text = (value: string) => call(request, 'setText', { input: uid, params: { text: value } });
    await text('abc').expect(200);
    expect(violationsOf(await text('abcd').expect(422))).toMatchObject([{ name: 'LengthConstraint' }]);
  });

  test.each([
    ['plain documents', {}],
    ['documents with complex values', { 'b:map': entries(1) }],
  ])('apply to bulk actions on %s', async (_, more) => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { uid } = await createDocument(server, { parent: folder.path, type: 'Bounded' });
    const set = (text: string) => runBulkBelow(request, 'setProperties', folder, { 'b:text': text, ...more });
    expect(await set('abcd')).toMatchObject({ state: 'COMPLETED', errorCount: 1 });
    expect((await readDocument(request, uid)).properties['b:text']).toBeNull();
    expect(await set('abc')).toMatchObject({ state: 'COMPLETED', errorCount: 0 });
    expect((await readDocument(request, uid)).properties['b:text']).toBe('abc');
  });

  test('apply to the texts of a blob', async () => {
    const scan = (name: string) => ({ 'b:scan': { name, content: 'bytes' } });
    const { uid } = await create(scan('x'.repeat(100_000)));
    const { body } = await updateDocument(request, uid, scan('x'.repeat(100_001))).expect(422);
    expect(body.violations[0].path).toEqual([
      { field_name: 'b:scan', is_list_item: false },
      { field_name: 'name', is_list_item: false },
    ]);
    const rename = (name: string) =>
      run('Document.SetBlobName', uid, { xpath: 'b:scan', name }).then(({ status }) => status);
    expect([await rename('x'.repeat(100_001)), await rename('a.txt')]).toEqual([422, 200]);
  });

  test('apply to variables of workflows, on start, in a task and set by an operation', async () => {
    const { uid } = await createDocument(server);
    const begin = (text: string) => flow.start('Administrator', 'Bounded', [uid], { text });
    expect(violationsOf(await begin('abcd').expect(422))).toMatchObject([{ name: 'LengthConstraint' }]);
    const { body: workflow } = await begin('abc').expect(201);
    const task = await flow.only(workflow);
    const set = (variables: object) => flow.end('Administrator', task, 'done', { variables });
    await set({ text: 'abcd' }).expect(422);
    await set({ helpers: ['a', 'b', 'c'] }).expect(422);
    const operation = (value: string) =>
      run('Context.SetWorkflowVar', undefined, { workflowInstanceId: workflow.id, name: 'text', value });
    await operation('abcd').expect(422);
    await set({ text: 'ab', helpers: ['a', 'b'] }).expect(200);
  });

  test('apply to saved searches', async () => {
    const save = (body: object) => request.post(savedSearches).send(body);
    const params = (length: number) =>
      Object.fromEntries(entries(length).map(({ key, value }) => [key, value]));
    const { id } = (await save(ofProvider({ params: params(1_000) })).expect(201)).body;
    const refused = [
      ofProvider({ params: params(1_001) }),
      ofProvider({ params: { key: 'x'.repeat(100_001) } }),
      ofProvider({ title: 'x'.repeat(10_001) }),
      ofProvider({ queryParams: ['x'.repeat(100_001)] }),
      ofProvider({ sortBy: 'x'.repeat(100_001) }),
    ];
    for (const body of refused) {
      expect(violationsOf(await save(body).expect(422))).toHaveLength(1);
      await request.put(`${savedSearches}/${id}`).send(body).expect(422);
    }
    await save(ofProvider({ title: 'x'.repeat(10_000), params: { key: 'x'.repeat(100_000) } })).expect(201);
    const query = `SELECT * FROM Document WHERE dc:title = '${'x'.repeat(100_001)}'`;
    await save(ofQuery({ query })).expect(422);
  });

  test('apply to users, groups and entries of directories', async () => {
    const username = await postUser(server);
    const groupname = await postGroup(server);
    const put = (company: string) => request.put(atUser(username)).send(userBody({ username, company }));
    await put('x'.repeat(100_000)).expect(200);
    await put('x'.repeat(100_001)).expect(422);
    const group = (tenantId: string) =>
      request.put(atGroup(groupname)).send({ 'entity-type': 'group', groupname, properties: { tenantId } });
    await group('x'.repeat(100_000)).expect(200);
    await group('x'.repeat(100_001)).expect(422);
    const entry = (label: string) =>
      request.post('/api/v1/directory/codes').send({
        'entity-type': 'directoryEntry',
        directoryName: 'codes',
        properties: { id: newName(), label },
      });
    await entry('abc').expect(201);
    await entry('abcd').expect(422);
    const create = JSON.stringify([{ id: newName(), label: 'abcd' }]);
    await run('Directory.CreateEntries', undefined, { directoryName: 'codes', entries: create }).expect(422);
  });

  test('apply to the comment of an ACE, unless the document has it already', async () => {
    const { path, uid } = await create();
    const add = (comment: string, user = 'Administrator') =>
      run('Document.AddPermission', uid, { users: user, permission: 'Read', comment });
    expect(violationsOf(await add('x'.repeat(100_001)).expect(422))).toEqual([
      { name: 'LengthConstraint', parameters: { Maximum: '100000' } },
    ]);
    await add('x'.repeat(100_000)).expect(200);
    await setAcl(server, path, [grant('Administrator', 'Read')]);
    const { prisma } = server.database;
    const where = { repository_documentId: { repository: 'default', documentId: uid } };
    const stored = await prisma.documentAcl.findUniqueOrThrow({ where });
    const text = JSON.stringify(stored.acls).replace(
      '"username"',
      `"comment":"${'y'.repeat(100_001)}","username"`,
    );
    await prisma.documentAcl.update({ where, data: { acls: JSON.parse(text) } });
    await add('', 'members').expect(200);
    await add('z'.repeat(100_001), 'powerusers').expect(422);
  });
});

describe('§8 a stored value above a limit', () => {
  const text = 'x'.repeat(100_001);
  const legacy = {
    'dc:title': 'x'.repeat(10_001),
    'dc:source': text,
    'b:text': 'abcd',
    'b:texts': ['a', 'b', 'abcd'],
    'b:map': entries(1_001),
    'b:line': { texts: ['a', 'b', 'c'] },
  };

  async function stored() {
    const { uid } = await create();
    await storeProperties(server, uid, legacy);
    return readDocument(request, uid);
  }

  test('is accepted in the body of a GET that is sent back, with another change', async () => {
    const document = await stored();
    expect(document.properties).toMatchObject(legacy);
    const { body } = await request.put(atId(document.uid)).send(document).expect(200);
    expect(body.properties).toMatchObject(legacy);
    const changed = { ...document.properties, 'dc:rights': 'mine' };
    await updateDocument(request, document.uid, changed).expect(200);
    await run('Document.Update', document.uid, { properties: { ...legacy, 'dc:rights': 'yours' } }).expect(
      200,
    );
  });

  test('is accepted where other parts of its property change', async () => {
    const { uid } = await stored();
    await updateDocument(request, uid, { 'b:texts': ['new', 'abcd'] }).expect(200);
    await updateDocument(request, uid, { 'b:texts': ['other', 'abcd'] }).expect(422);
    await updateDocument(request, uid, { 'b:line': { texts: ['a', 'b', 'd'] } }).expect(422);
  });

  test('is refused when it changes, or comes to another document', async () => {
    const { uid } = await stored();
    for (const properties of [
      { 'dc:title': 'y'.repeat(10_001) },
      { 'dc:source': `${text}x` },
      { 'b:text': 'abce' },
      { 'b:texts': ['a', 'b', 'abcd', 'c'] },
      { 'b:map': entries(1_002) },
    ]) {
      await updateDocument(request, uid, properties).expect(422);
    }
    for (const [xpath, value] of Object.entries(legacy)) {
      const body = documentBody({ ...newDocument({ [xpath]: value }) });
      await request.post(atPath(workspaces)).send(body).expect(422);
    }
  });

  test('is copied, made a version of, restored, published and moved', async () => {
    const { uid } = await stored();
    const folder = await createDocument(server, { type: 'Folder' });
    const copy = (await run('Document.Copy', uid, { target: folder.path, name: 'copy' }).expect(200)).body;
    expect((await readDocument(request, copy.uid)).properties).toMatchObject(legacy);
    await run('Document.CheckIn', uid, { version: 'major' }).expect(200);
    const version = (await run('Document.GetLastVersion', uid).expect(200)).body;
    expect((await readDocument(request, version.uid)).properties).toMatchObject(legacy);
    const cleared = Object.fromEntries(Object.keys(legacy).map((xpath) => [xpath, null]));
    await updateDocument(request, uid, cleared).expect(200);
    await run('Document.RestoreVersion', version.uid).expect(200);
    expect((await readDocument(request, uid)).properties).toMatchObject(legacy);
    await run('Document.Move', uid, { target: folder.path, name: 'moved' }).expect(200);
    await run('Document.Trash', uid).expect(200);
    await run('Document.Untrash', uid).expect(200);
    expect((await readDocument(request, uid)).properties).toMatchObject(legacy);
  });

  test('is copied with its schema', async () => {
    const { uid } = await stored();
    const other = await create();
    await run('Document.CopySchema', other.uid, { schema: 'bounded', sourceId: uid }).expect(200);
    expect((await readDocument(request, other.uid)).properties).toMatchObject({ 'b:text': 'abcd' });
  });

  test('is accepted by users, groups, entries and variables of workflows', async () => {
    const { prisma } = server.database;
    const username = await postUser(server);
    await prisma.user.update({ where: { id: username }, data: { properties: { company: text } } });
    const { body: user } = await request.get(atUser(username)).expect(200);
    await request
      .put(atUser(username))
      .send({ ...user, properties: { ...user.properties, firstName: 'A' } })
      .expect(200);
    const id = newName();
    const data = { directory: 'codes', id, properties: { label: 'abcd' } };
    await prisma.directoryEntry.create({ data });
    const put = (label: string) =>
      request
        .put(`/api/v1/directory/codes/${id}`)
        .send({ 'entity-type': 'directoryEntry', directoryName: 'codes', properties: { id, label } });
    await put('abcd').expect(200);
    await put('abce').expect(422);
    const { body: workflow } = await flow.start('Administrator', 'Bounded', [], { text: 'abc' }).expect(201);
    await prisma.workflow.update({
      where: { repository_id: { repository: 'default', id: workflow.id } },
      data: { variables: { text: 'abcd' } },
    });
    const task = await flow.only(workflow);
    const end = (value: string) =>
      flow.end('Administrator', task, 'done', { variables: { text: value, helpers: ['a'] } });
    await end('abce').expect(422);
    await end('abcd').expect(200);
  });
});

test('§8 a member list of the server may be longer than other lists', async () => {
  const { uid } = await create();
  const contributors = Array.from({ length: 100_001 }, (_, index) => `user${index}`);
  await storeProperties(server, uid, { 'dc:contributors': contributors });
  await updateDocument(request, uid, { 'dc:title': 'Changed' }).expect(200);
  const { properties } = await readDocument(request, uid);
  expect(properties['dc:contributors']).toHaveLength(100_002);
});
