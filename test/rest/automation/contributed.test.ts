/** @group own-modules */
import { describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import { documentAt, referenceTo } from '../../../src/automation/documents/document-at.ts';
import { operations } from '../../../src/automation/index.ts';
import type { OutputKind } from '../../../src/automation/kinds.ts';
import { type Operation, operation } from '../../../src/automation/operation.ts';
import { date, integer, reference, text, texts } from '../../../src/automation/params/kinds.ts';
import type { Params } from '../../../src/automation/params/param.ts';
import { textBlob } from '../../../src/model/values/document-blob.ts';
import { asText, call } from '../../support/requests.ts';

/** An operation with a fixed result of one kind. */
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

/** An operation with parameters of every type. */
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
    'a word': text.optional('A word, whose name is two.'),
    number: integer.withDefault(7, 'A whole number.'),
    words: texts.optional('Words.', { aliases: ['list'] }),
    when: date.optional('A date.'),
    where: reference.optional('A document.'),
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
  params: { more: integer.required('How many more.') },
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

// An operation is contributed by an entry in the list, before the list is first read.
(operations as Operation[]).push(...contributed);
const { useServer } = await import('../../support/server.ts');
const server = useServer();

const run = (id: string, given: Parameters<typeof call>[2] = {}): supertest.Test =>
  call(server.request, id, given);

describe('§4.7 a contributed operation', () => {
  test('is called by its id, by an alias and as an adapter', async () => {
    const { body } = await run('Test.Echo', { params: { number: '12' } }).expect(200);
    expect(body).toEqual({ 'entity-type': 'map', value: { input: null, number: 12 } });
    await run('Test.Old').expect(200);
    await server.request.post('/api/v1/path/@op/Test.Old').send({}).expect(400);
    await server.request.post('/api/v1/path/@op/Test.Count').send({}).expect(200);
    await server.request.post('/site/automation/Test.Echo').send({}).expect(200);
  });

  test('is listed with its parameters and its signature', async () => {
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

  test('is a field of the GraphQL schema', async () => {
    const query = '{ testEcho(a_word: "x", words: ["y"]) { kind value { type value } } }';
    const { body } = await server.request.post('/graphql').send({ query }).expect(200);
    const value = { input: null, 'a word': 'x', number: 7, words: ['y'] };
    expect(body.data.testEcho).toEqual({ kind: 'map', value: { type: 'map', value } });
  });

  test('receives its parameters converted to their types', async () => {
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
      expect(body.message).toBe('number must be an integer');
    },
  );

  test('receives one document as a list where it takes several', async () => {
    const params = { more: 10 };
    expect((await run('Test.Several', { input: '/', params })).body.value).toBe(11);
    expect((await run('Test.Several', { input: ['/', '/'], params })).body.value).toBe(12);
  });
});

describe('§4.7 the result of an operation', () => {
  test.each([
    ['string', { input: 'a text' }, 'a text'],
    ['string', {}, ''],
    ['boolean', {}, false],
    ['number', {}, 1.5],
    ['date', {}, '2024-03-01T10:15:30.000Z'],
    ['list', {}, ['a', 1]],
    ['map', {}, { a: { b: 1 } }],
  ])('of the type %s is wrapped in an entity', async (type, given, value) => {
    const response = await run(`Test.${type}`, given).expect(200);
    expect(response.body).toEqual({ 'entity-type': type, value });
    expect(response.headers['content-type']).toBe(`application/json; charset=utf-8; nuxeo-entity=${type}`);
  });

  test('for each of several documents is a list of values', async () => {
    const { body } = await run('Test.Count', { input: ['/', '/default-domain'] }).expect(200);
    expect(body).toEqual({ 'entity-type': 'list', value: [0, 1] });
    expect((await run('Test.Count', { input: '/' })).body).toEqual({ 'entity-type': 'number', value: 0 });
  });

  test('of the type void is 204 without a body', async () => {
    const response = await run('Test.void').expect(204);
    expect(response.text).toBe('');
  });

  test('of the type json is sent unchanged', async () => {
    const response = await run('Test.json').expect(200);
    expect(response.body).toEqual([{ 'entity-type': 'user' }]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('of the type user is a user entity', async () => {
    const { body } = await run('Test.user').expect(200);
    expect(body).toMatchObject({ 'entity-type': 'user', id: 'Administrator', isAdministrator: true });
  });

  test('of the type page includes the counts of its list', async () => {
    const { body } = await run('Test.page').expect(200);
    expect(body).toMatchObject({
      'entity-type': 'documents',
      resultsCount: 3,
      pageSize: 1,
      currentPageIndex: 1,
      totalSize: 3,
      entries: [{ 'entity-type': 'document', path: '/' }],
    });
  });

  test('of the type blob is sent as bytes with the headers of a download', async () => {
    const response = await asText(run('Test.blob')).expect(200);
    expect(response.body).toBe('é');
    expect(response.headers['content-type']).toBe('text/plain; charset=UTF-8');
    expect(response.headers['content-disposition']).toBe('attachment; filename="a b.txt"');
    expect(response.headers['content-length']).toBe('2');
  });

  test('of the type bloblist is one multipart body, or 204 when empty', async () => {
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
