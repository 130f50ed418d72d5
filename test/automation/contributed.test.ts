import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import { documentAt, referenceTo } from '../../src/automation/document-at.ts';
import { operations } from '../../src/automation/index.ts';
import { date, reference, text, texts, whole } from '../../src/automation/kinds.ts';
import { type Operation, type OutputKind, operation } from '../../src/automation/operation.ts';
import { optional, optionally, type Params, required } from '../../src/automation/params.ts';
import { textBlob } from '../../src/model/document-blob.ts';
import { asText, call } from './calls.ts';

/** An operation that answers what it is told: the same for every kind of answer. */
function answering<Kind extends OutputKind>(
  gives: Kind,
  answer: Operation<Params, 'void' | 'string', Kind>['run'],
): Operation {
  return operation({
    id: `Test.${gives}`,
    label: gives,
    category: 'Test',
    description: `Answers ${gives}.`,
    kind: 'query',
    takes: ['void', 'string'],
    gives,
    params: {},
    run: answer,
  });
}

/** Everything that an operation can be given. */
const echo = operation({
  id: 'Test.Echo',
  aliases: ['Test.Old'],
  label: 'Echo',
  category: 'Test',
  description: 'Answers its parameters.',
  kind: 'query',
  takes: ['void', 'string'],
  gives: 'map',
  params: {
    'a word': optional(text, 'A word, whose name is two.'),
    number: optionally(whole, 7, 'A whole number.'),
    words: optional(texts, 'Words.', { aliases: ['list'] }),
    when: optional(date, 'A date.'),
    where: optional(reference, 'A document.'),
  },
  run: async (_, input, params) => ({ input, ...params }),
});

const counting = operation({
  id: 'Test.Count',
  label: 'Count',
  category: 'Test',
  description: 'Answers the number of a document’s ancestors.',
  kind: 'query',
  takes: ['document'],
  isForEach: true,
  gives: 'number',
  params: {},
  run: async (context, document) => (await documentAt(context, document)).ancestorIds.length,
});

const several = operation({
  id: 'Test.Several',
  label: 'Several',
  category: 'Test',
  description: 'Answers how many documents it is given.',
  kind: 'query',
  takes: ['documents'],
  gives: 'number',
  params: { more: required(whole, 'How many more.') },
  run: async (_, documents, { more }) => documents.length + more,
});

const contributed = [
  echo,
  counting,
  several,
  answering('void', async () => null),
  answering('string', async (_, input) => input ?? ''),
  answering('boolean', async () => false),
  answering('number', async () => 1.5),
  answering('date', async () => '2024-03-01T10:15:30.000Z'),
  answering('list', async () => ['a', 1]),
  answering('map', async () => ({ a: { b: 1 } })),
  answering('json', async () => [{ 'entity-type': 'user' }]),
  answering('blob', async () => textBlob('a b.txt', 'text/plain', 'é')),
  answering('bloblist', async (_, input) =>
    (input ? ['one', 'two'] : []).map((word) => textBlob(`${word}.txt`, 'text/plain', word)),
  ),
  answering('page', async (context) => {
    const root = await documentAt(context, referenceTo('/'));
    return { entries: [root], total: 3, pageSize: 1, offset: 1 };
  }),
  answering('user', async ({ load }) => load.userById.load('Administrator')),
];

let server: Awaited<ReturnType<typeof import('../support/server.ts')['start']>>;
beforeAll(async () => {
  // All that it takes to add one: an entry in the list, before anything has read it.
  (operations as Operation[]).push(...contributed);
  const { start } = await import('../support/server.ts');
  server = await start();
});
afterAll(() => server.stop());

const run = (id: string, given: Parameters<typeof call>[2] = {}): supertest.Test =>
  call(server.request, id, given);

describe('§4.7 an operation that somebody contributes', () => {
  test('is called under its names, as an adapter too', async () => {
    const { body } = await run('Test.Echo', { params: { number: '12' } }).expect(200);
    expect(body).toEqual({ 'entity-type': 'map', value: { input: null, number: 12 } });
    await run('Test.Old').expect(200);
    await server.request.post('/api/v1/path/@op/Test.Old').send({}).expect(200);
    await server.request.post('/site/automation/Test.Echo').send({}).expect(200);
  });

  test('is listed', async () => {
    const { body } = await server.request.get('/api/v1/automation/Test.Echo').expect(200);
    expect(body.params.map(({ name, type }: Record<string, string>) => [name, type])).toEqual([
      ['a word', 'string'],
      ['number', 'integer'],
      ['words', 'stringlist'],
      ['when', 'date'],
      ['where', 'document'],
    ]);
    expect(body.signature).toEqual(['void', 'map', 'string', 'map']);
  });

  test('is a field of the schema', async () => {
    const query = '{ testEcho(a_word: "x", words: ["y"]) { kind value { type value } } }';
    const { body } = await server.request.post('/graphql').send({ query }).expect(200);
    const value = { input: null, 'a word': 'x', number: 7, words: ['y'] };
    expect(body.data.testEcho).toEqual({ kind: 'map', value: { type: 'map', value } });
  });

  test('has its parameters read', async () => {
    const params = {
      'a word': 5,
      number: '-3',
      list: 'a, b,,c',
      when: '2024-03-01',
      where: { 'entity-type': 'document', uid: 'u' },
    };
    const { body } = await run('Test.Echo', { input: 'plain: text', params }).expect(200);
    expect(body.value).toEqual({
      input: 'plain: text',
      'a word': '5',
      number: -3,
      words: ['a', 'b', 'c'],
      when: '2024-03-01',
      where: 'u',
    });
    const { body: doc } = await run('Test.Echo', { params: { where: 'doc:/a', list: ['a,b', 1] } });
    expect(doc.value).toMatchObject({ where: '/a', words: ['a,b', '1'] });
  });

  test.each([['1.5'], [1.5], ['99999999999'], [2 ** 31], ['x'], [true], [{}]])(
    'refuses %j as a number',
    async (number) => {
      const { body } = await run('Test.Echo', { params: { number } }).expect(400);
      expect(body.message).toBe('number: is no whole number');
    },
  );

  test('is given one document where it takes several', async () => {
    const params = { more: 10 };
    expect((await run('Test.Several', { input: '/', params })).body.value).toBe(11);
    expect((await run('Test.Several', { input: ['/', '/'], params })).body.value).toBe(12);
  });
});

describe('§4.7 what is answered', () => {
  test.each([
    ['string', { input: 'a text' }, 'a text'],
    ['string', {}, ''],
    ['boolean', {}, false],
    ['number', {}, 1.5],
    ['date', {}, '2024-03-01T10:15:30.000Z'],
    ['list', {}, ['a', 1]],
    ['map', {}, { a: { b: 1 } }],
  ])('a %s is an entity of its own', async (type, given, value) => {
    const response = await run(`Test.${type}`, given).expect(200);
    expect(response.body).toEqual({ 'entity-type': type, value });
    expect(response.headers['content-type']).toBe(`application/json; charset=utf-8; nuxeo-entity=${type}`);
  });

  test('plain values of several documents are a list', async () => {
    const { body } = await run('Test.Count', { input: ['/', '/default-domain'] }).expect(200);
    expect(body).toEqual({ 'entity-type': 'list', value: [0, 1] });
    expect((await run('Test.Count', { input: '/' })).body).toEqual({ 'entity-type': 'number', value: 0 });
  });

  test('nothing is 204', async () => {
    const response = await run('Test.void').expect(204);
    expect(response.text).toBe('');
  });

  test('JSON is sent as it is', async () => {
    const response = await run('Test.json').expect(200);
    expect(response.body).toEqual([{ 'entity-type': 'user' }]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('a user is a user entity', async () => {
    const { body } = await run('Test.user').expect(200);
    expect(body).toMatchObject({ 'entity-type': 'user', id: 'Administrator', isAdministrator: true });
  });

  test('a page tells of the list it is from', async () => {
    const { body } = await run('Test.page').expect(200);
    expect(body).toMatchObject({
      ...{ 'entity-type': 'documents', resultsCount: 3, pageSize: 1, currentPageIndex: 1 },
      ...{ totalSize: 3, entries: [{ 'entity-type': 'document', path: '/' }] },
    });
  });

  test('a blob is its bytes', async () => {
    const response = await asText(run('Test.blob')).expect(200);
    expect(response.body).toBe('é');
    expect(response.headers['content-type']).toBe('text/plain; charset=UTF-8');
    expect(response.headers['content-disposition']).toBe('attachment; filename="a b.txt"');
    expect(response.headers['content-length']).toBe('2');
  });

  test('blobs are the parts of one body, none of them 204', async () => {
    const response = await asText(run('Test.bloblist', { input: 'some' })).expect(200);
    const [, boundary = 'none'] =
      /^multipart\/mixed; boundary="([^"]+)"$/.exec(response.headers['content-type'] ?? '') ?? [];
    const parts = String(response.body).split(`--${boundary}`);
    expect(parts).toHaveLength(4);
    expect([parts[0], parts[3]]).toEqual(['', '--\r\n']);
    expect(parts[1]?.split('\r\n')).toEqual([
      '',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Length: 3',
      'Content-Disposition: attachment; filename=one.txt',
      '',
      'one',
      '',
    ]);
    await run('Test.bloblist').expect(204);
  });
});
