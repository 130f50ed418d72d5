import { describe, expect, test } from '@jest/globals';
import type { ModelDefinition } from '../../../src/model/definitions.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, readDocument } from '../../support/documents.ts';
import { askGraphql, call, calling } from '../../support/requests.ts';
import { startServer, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');
const run = calling(server);

const filled = {
  'dc:title': 'A title',
  'dc:source': 'expr:Document.path',
  'dc:subjects': ['art', 'sciences'],
  'files:files': [{ file: { content: 'x', name: 'a.txt' } }],
};

const newDocument = () => createDocument(server, { properties: filled });

const context = {
  word: 'w',
  empty: null,
  list: ['a', { b: 'c' }],
  map: { 'a b': { c: 7 }, '1': 'one' },
  yes: true,
};

/** What comes of an expression as the description of a document. */
async function described(value: string, more: Record<string, unknown> = {}) {
  const { uid } = await newDocument();
  const params = { xpath: 'dc:description', value };
  const sent = { input: uid, params, context: { ...context, ...more } };
  const { status, body } = await call(server.request, 'Document.SetProperty', sent).set('properties', '*');
  return status === 200 ? body.properties['dc:description'] : [status, body.message];
}

describe('§4.7 an expression', () => {
  test.each<[string, string | null]>([
    ['expr:Document["dc:title"]', 'A title'],
    ["expr:Document['dc:title']", 'A title'],
    ['expr:Document.dc:title', 'A title'],
    ['  expr: Document.dc:title ', 'A title'],
    ['expr:@{Document["dc:title"]}', 'A title'],
    ['expr:This.title', 'A title'],
    ['expr:Document["dc:subjects/1"]', 'sciences'],
    ['expr:Document["dc:subjects"][0]', 'art'],
    ['expr:Document["files:files/0/file"].name', 'a.txt'],
    ['expr:Document["dc:rights"]', null],
    ['expr:Document["note:note"]', null],
    ['expr:Document.type', 'File'],
    ['expr:word', 'w'],
    ['expr:Context.word', 'w'],
    ['expr:Context["word"]', 'w'],
    ['expr:Context["nosuch"]', null],
    ['expr:empty', null],
    ['expr:empty.below', null],
    ['expr:list[0]', 'a'],
    ['expr:list[1].b', 'c'],
    ['expr:list[9]', null],
    ['expr:map["1"]', 'one'],
    ['expr:map["toString"]', null],
    ['expr:CurrentUser.name', 'Administrator'],
    ['expr:<@{word}> @{map["a b"].c} @{yes} @{empty}@{list[0]}', '<w> 7 true a'],
    ['expr:@{Document["dc:subjects"]} @{map}', 'art,sciences {"1":"one","a b":{"c":7}}'],
    ['@{word}', '@{word}'],
    ['a expr:word', 'a expr:word'],
  ])('%s is %j', async (value, expected) => {
    expect(await described(value)).toBe(expected);
  });

  const beyond = 'expressions can only contain paths to properties and variables';

  test.each([
    ['expr:', `expr:: ${beyond}`],
    ['expr:1+1', `expr:1+1: ${beyond}`],
    ['expr:word + word', `expr:word + word: ${beyond}`],
    ['expr:Document.getPath()', `expr:Document.getPath(): ${beyond}`],
    ['expr:Runtime.getRuntime().exec("x")', `expr:Runtime.getRuntime().exec("x"): ${beyond}`],
    ['expr:list[word]', `expr:list[word]: ${beyond}`],
    ['expr:list[-1]', `expr:list[-1]: ${beyond}`],
    ['expr:word;', `expr:word;: ${beyond}`],
    ['expr:["word"]', `expr:["word"]: ${beyond}`],
    ['expr:.word', `expr:.word: ${beyond}`],
    ['expr:@{word + 1}', `expr:word + 1: ${beyond}`],
    ['expr:@{}', `expr:: ${beyond}`],
    ['expr:@{word', 'expr:@{word: a } is missing'],
    ['expr:nosuch', 'expr:nosuch: there is no variable nosuch'],
    ['expr:constructor', 'expr:constructor: there is no variable constructor'],
    ['expr:__proto__.x', 'expr:__proto__.x: there is no variable __proto__'],
    ['expr:Document.nosuch', 'expr:Document.nosuch: there is no property nosuch'],
    ['expr:Document["ecm:acl"]', 'expr:Document["ecm:acl"]: there is no property ecm:acl'],
    ['expr:word.length', 'expr:word.length: a string has no length'],
    ['expr:Documents[0]', 'expr:Documents[0]: a value of the kind document has no 0'],
  ])('%s is refused with 400: %s', async (value, message) => {
    expect(await described(value)).toEqual([400, message]);
  });

  test('is evaluated once: its value may look like one', async () => {
    expect(await described('expr:Document["dc:source"]')).toBe('expr:Document.path');
    expect(await described('expr:@{Document["dc:source"]} @{word}', { word: '@{yes}' })).toBe(
      'expr:Document.path @{yes}',
    );
    expect(await described('expr:word', { word: 'expr:yes' })).toBe('expr:yes');
    const { uid } = await newDocument();
    const parameters = { xpath: 'dc:description', value: 'expr:Document["dc:source"]' };
    await run('RunOperation', uid, { id: 'Document.SetProperty', parameters }).expect(200);
    const { properties } = await readDocument(server.request, uid);
    expect(properties).toMatchObject({ 'dc:description': 'expr:Document.path' });
  });

  test('remains as it is inside of the JSON of a call', async () => {
    const { uid } = await newDocument();
    const properties = { 'dc:description': 'expr:Document.path' };
    const { body } = await run('Document.Update', uid, { properties }).set('properties', '*').expect(200);
    expect(body.properties).toMatchObject(properties);
  });

  test('gives no other property, where it is in lines of name=value', async () => {
    const { uid } = await newDocument();
    const sent = {
      input: uid,
      params: { properties: 'expr:dc:title=of @{word}\ndc:description=@{Document.dc:title}' },
      context: { word: 'x\ndc:nature=memo' },
    };
    const { body } = await call(server.request, 'Document.Update', sent).set('properties', '*').expect(200);
    expect(body.properties).toMatchObject({
      'dc:title': 'of x\ndc:nature=memo',
      'dc:description': 'A title',
      'dc:nature': null,
    });
  });

  test('keeps the type of its value: lists, numbers, documents and blobs', async () => {
    const { uid } = await newDocument();
    const target = await createDocument(server, { type: 'Folder' });
    const setting = (xpath: string, value: string) => ({
      id: 'Document.SetProperty',
      parameters: { xpath, value },
    });
    await call(server.request, 'RunOperation', {
      input: uid,
      params: setting('dc:subjects', 'expr:words'),
      context: { words: ['comics'] },
    }).expect(200);
    const { body } = await run(
      'RunOperation',
      uid,
      setting('file:content', 'expr:Document["files:files/0/file"]'),
    )
      .set('properties', '*')
      .expect(200);
    expect(body.properties).toMatchObject({ 'dc:subjects': ['comics'], 'file:content': { name: 'a.txt' } });
    const found = await call(server.request, 'RunOperation', {
      params: {
        id: 'Repository.Query',
        parameters: { query: 'SELECT * FROM Folder', pageSize: 'expr:size' },
      },
      context: { size: 2 },
    }).expect(200);
    expect(found.body).toMatchObject({ 'entity-type': 'documents', pageSize: 2 });
    const moved = await call(server.request, 'Document.Move', {
      input: uid,
      params: { target: 'expr:to' },
      context: { to: target.uid },
    }).expect(200);
    expect(moved.body.path).toBe(`${target.path}/${moved.body.name}`);
    const list = await call(server.request, 'Services.TagDocument', {
      input: uid,
      params: { tags: 'expr:words' },
      context: { words: ['one', 'two'] },
    })
      .set('enrichers.document', 'tags')
      .expect(200);
    expect(list.body.contextParameters.tags.toSorted()).toEqual(['one', 'two']);
  });

  test('needs Read on the document that it is about', async () => {
    const { uid, path } = await newDocument();
    await setAcl(server, path, [grant('bob', 'WriteProperties'), deny('Everyone', 'Everything')]);
    const { body } = await run(
      'Document.SetProperty',
      uid,
      { xpath: 'dc:title', value: 'expr:Document.title' },
      bob,
    );
    expect(body).toMatchObject({
      status: 403,
      message: `Privilege 'Read' is not granted to 'bob' on the document with the id ${uid}.`,
    });
  });

  test('gives a bounded length, however often values are doubled', async () => {
    const doubling = { id: 'Context.SetVar', parameters: { name: 'x', value: 'expr:@{x}@{x}' } };
    const { body } = await call(server.request, 'RunOperationOnList', {
      params: { ...doubling, list: Array.from({ length: 60 }, (_, index) => index), isolate: false },
      context: { x: 'a text' },
    }).expect(400);
    expect(body.message).toBe(
      'The values of all expressions together must not exceed 20,000,000 characters.',
    );
  });

  test('reads the variables of GraphQL', async () => {
    const { uid } = await newDocument();
    const query = `mutation ($id: ID!, $context: JSON) {
      documentSetProperty(input: {document: $id}, xpath: "dc:title", value: "expr:word", context: $context) {
        document { title }
      }
    }`;
    const variables = { id: uid, context: { word: 'from GraphQL' } };
    expect(await askGraphql(server.request, query, variables)).toEqual({
      documentSetProperty: { document: { title: 'from GraphQL' } },
    });
    await expect(askGraphql(server.request, query, { id: uid, context: [1] })).rejects.toThrow(
      'context must be an object',
    );
  });
});

describe('the server does not start with a faulty chain', () => {
  const faultsOf = (chains: readonly unknown[]) =>
    startServer({}, { chains } as Partial<ModelDefinition>).then(
      () => 'it starts',
      ({ message }: Error) =>
        message
          .split('\n')
          .map((line) => line.replace(/^.*test\.json: /, ''))
          .join('\n'),
    );
  const update = { id: 'Document.Update' };

  test.each<[string, object, string]>([
    ['chains[0].operations', { operations: [] }, 'must contain at least one operation'],
    ['chains[0].operations[0].odd', { operations: [{ id: 'Log', odd: 1 }] }, 'is not a known field'],
    ['chains.c.name', { name: 'a b', operations: [update] }, ''],
    ['chains.c.name', { name: 'Log', operations: [update] }, 'is the name of an operation'],
    ['chains.c.operations[0].id', { operations: [{ id: 'Nosuch' }] }, 'there is no operation Nosuch'],
    [
      'chains.c.operations[0].id',
      { operations: [{ id: 'RunScript' }] },
      'RunScript: scripts are not supported',
    ],
    ['chains.c.operations[0].params', { operations: [update] }, 'properties is missing'],
    [
      'chains.c.operations[1].params',
      {
        operations: [
          { id: 'Document.Save' },
          { id: 'Document.Copy', params: { target: '/', odd: 'expr:x' } },
        ],
      },
      'Document.Copy has no parameter odd',
    ],
    [
      'chains.c.operations[0].params',
      { operations: [{ id: 'Document.Copy', params: { target: '/', resetLifeCycle: 'x' } }] },
      'resetLifeCycle must be true or false',
    ],
    [
      'chains.c.operations[0].params',
      { operations: [{ id: 'Log', params: { message: 'expr:1+1' } }] },
      'expr:1+1: expressions can only contain paths to properties and variables',
    ],
    [
      'chains.c.operations[0].params',
      { operations: [{ id: 'Log', params: { message: 'expr:@{ChainParameters["odd"]}' } }] },
      'the chain has no parameter odd',
    ],
    [
      'chains.c.params[0].default',
      { params: [{ name: 'n', type: 'integer', default: 'x' }], operations: [{ id: 'Document.Save' }] },
      'must be an integer',
    ],
    [
      'chains.c.params[1].name',
      { params: [{ name: 'n' }, { name: 'n' }], operations: [{ id: 'Document.Save' }] },
      'the name n is already taken',
    ],
  ])('at %s: %j', async (location, chain, fault) => {
    const { name = 'c' } = chain as { name?: string };
    const at = location.replace(/^chains\.c/, `chains.${name}`);
    expect(await faultsOf([{ name: 'c', ...chain }])).toContain(fault ? `${at}: ${fault}` : at);
  });
});
