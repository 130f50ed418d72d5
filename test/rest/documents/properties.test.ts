import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/factories.ts';
import type { TestServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';
import { at, entity, exception, startWithModel, workspaces } from './requests.ts';

let server: TestServer;
let count = 0;
beforeAll(async () => {
  server = await startWithModel(everyType);
});
afterAll(() => server.stop());

const create = (properties: Record<string, unknown>, type = 'Every') => {
  count += 1;
  return server.request.post(at(workspaces)).send(entity({ name: `p${count}`, type, properties }));
};

const some: Record<string, unknown> = {
  'ev:text': ' "quoted" \\ 😀 \u2028\n',
  'ev:count': 9007199254740991,
  'ev:size': 0.1,
  'ev:isDone': false,
  'ev:day': '2024-03-01T10:15:30.123Z',
  'ev:raw': 'raw',
  'ev:part': {
    text: 'A',
    count: 0,
    days: ['2024-03-01T00:00:00.000Z'],
    file: null,
    inner: { isDone: true },
  },
  'ev:texts': ['b', 'a', 'b', ''],
  'ev:counts': [3, -1, 0],
  'ev:sizes': [1e300, 5e-324, -2.5, 3],
  'ev:flags': [true, false, true],
  'ev:days': ['2024-03-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z'],
  'ev:parts': [
    { text: 'one', file: null },
    { text: null, file: null },
  ],
  'ev:reader': 'nobody',
  'ev:related': ['no-id', '00000000-0000-4000-8000-000000000000'],
};

describe('§2.1 properties', () => {
  test('of every type are kept as they were sent', async () => {
    const { body } = await create(some).expect(201);
    expect(body.properties).toMatchObject(some);
    expect((await server.request.get(at(body.path))).body.properties).toEqual(body.properties);
  });

  test('that are unset are null, and lists are empty', async () => {
    const { body } = await create({}).expect(201);
    const { properties } = (await server.request.get(at(body.path))).body;
    const shown = Object.entries(properties).filter(([xpath]) => xpath.startsWith('ev:'));
    const lists = ['texts', 'counts', 'sizes', 'flags', 'days', 'files', 'parts', 'related'];
    expect(shown).toHaveLength(17);
    for (const [xpath, value] of shown) {
      expect([xpath, value]).toEqual([xpath, lists.includes(xpath.slice(3)) ? [] : null]);
    }
  });

  test('dates of any precision and zone are shown in UTC with milliseconds', async () => {
    const properties = {
      'ev:day': '2024-03-01T00:15:30+02:00',
      'ev:days': ['2024', '2024-03', '2024-03-01', '2024-03-01T10:15', '2024-03-01T10:15:30.1234567Z'],
    };
    const { body } = await create(properties).expect(201);
    expect(body.properties).toMatchObject({
      'ev:day': '2024-02-29T22:15:30.000Z',
      'ev:days': [
        '2024-01-01T00:00:00.000Z',
        '2024-03-01T00:00:00.000Z',
        '2024-03-01T00:00:00.000Z',
        '2024-03-01T10:15:00.000Z',
        '2024-03-01T10:15:30.123Z',
      ],
    });
  });

  test('a complex value shows the fields that were not sent, too', async () => {
    const { body } = await create({ 'ev:part': { text: 'A' } }).expect(201);
    const { properties } = (await server.request.get(at(body.path))).body;
    expect(properties['ev:part']).toEqual({ text: 'A', count: null, days: [], file: null, inner: null });
  });

  test('blobs of every place are kept', async () => {
    const blob = (content: string) => ({ content, name: `${content}.txt` });
    const properties = {
      'ev:file': blob('a'),
      'ev:files': [blob('b'), blob('c')],
      'ev:part': { file: blob('d') },
      'ev:parts': [{ text: 'none' }, { file: blob('e') }],
    };
    const { body } = await create(properties).expect(201);
    const named = (name: string) => expect.objectContaining({ name, length: '1' });
    expect(body.properties).toMatchObject({
      'ev:file': named('a.txt'),
      'ev:files': [named('b.txt'), named('c.txt')],
      'ev:part': { file: named('d.txt') },
      'ev:parts': [{ file: null }, { file: named('e.txt') }],
    });
    const rows = await server.database.prisma.documentBlob.findMany({ where: { documentId: body.uid } });
    expect(rows.map(({ xpath }) => xpath).sort()).toEqual(
      ['ev:file', 'ev:files/0', 'ev:files/1', 'ev:part/file', 'ev:parts/1/file'].sort(),
    );
  });

  test('a new document starts with the defaults of its type, unless the request gives others', async () => {
    const { body } = await create({}, 'Preset').expect(201);
    expect(body.properties).toEqual({
      'pre:text': 'as ever',
      'pre:count': 0,
      'pre:day': '2024-03-01T00:00:00.000Z',
    });
    const other = await create({ 'pre:text': 'now', 'pre:count': 7 }, 'Preset').expect(201);
    expect(other.body.properties).toMatchObject({ 'pre:text': 'now', 'pre:count': 7 });
  });
});

describe('§4.1 values of the wrong JSON type', () => {
  test.each<[string, unknown]>([
    ['ev:text', 1],
    ['ev:text', true],
    ['ev:text', {}],
    ['ev:text', ['a']],
    ['ev:count', '1'],
    ['ev:count', 1.5],
    ['ev:count', true],
    ['ev:size', '1.5'],
    ['ev:size', [1]],
    ['ev:isDone', 'true'],
    ['ev:isDone', 1],
    ['ev:day', 1709287200000],
    ['ev:day', 'yesterday'],
    ['ev:day', '2024-02-30'],
    ['ev:day', '+275760-09-13T00:00:00Z'],
    ['ev:day', '-000001-01-01T00:00:00Z'],
    ['ev:day', '9999-12-31T23:59:59-01:00'],
    ['ev:day', '0000-01-01T00:00:00+01:00'],
    ['ev:raw', 1],
    ['ev:file', 'text'],
    ['ev:file', ['text']],
    ['ev:part', 'text'],
    ['ev:part', [{ text: 'A' }]],
    ['ev:texts', 'a'],
    ['ev:texts', { 0: 'a' }],
    ['ev:texts', ['a', 1]],
    ['ev:texts', ['a', null]],
    ['ev:texts', [['a']]],
    ['ev:counts', [1, 1.5]],
    ['ev:sizes', ['1']],
    ['ev:flags', [null]],
    ['ev:days', ['2024-01-01', '2024-13-01']],
    ['ev:files', { content: 'a' }],
    ['ev:parts', { text: 'A' }],
    ['ev:parts', ['A']],
    ['ev:reader', 1],
    ['ev:reader', { id: 'Administrator' }],
    ['ev:related', [1]],
  ])('%s cannot be %j', async (xpath, value) => {
    const created = await create({ [xpath]: value }).expect(400);
    expect(created.body).toMatchObject(exception(400, expect.stringContaining(xpath)));
    const { path } = await createDocument(server, { type: 'Every' });
    const updated = await server.request
      .put(at(path))
      .send(entity({ properties: { [xpath]: value } }))
      .expect(400);
    expect(updated.body).toMatchObject(exception(400, expect.stringContaining(xpath)));
  });

  test.each([
    [{ 'ev:part': { count: 'x' } }, 'ev:part/count'],
    [{ 'ev:part': { inner: { isDone: 1 } } }, 'ev:part/inner/isDone'],
    [{ 'ev:part': { days: ['2024', 'x'] } }, 'ev:part/days/1'],
    [{ 'ev:parts': [{}, { text: 1 }] }, 'ev:parts/1/text'],
    [{ 'ev:parts': [{}, { file: 1 }] }, 'ev:parts/1/file'],
    [{ 'ev:part': { unknown: 1 } }, 'unknown'],
    [{ 'ev:part': { 'ev:text': 'A' } }, 'ev:text'],
  ])('the message names the place inside: %j', async (properties, place) => {
    const { body } = await create(properties).expect(400);
    expect(body.message).toContain(place);
  });
});

describe('§4.1 numbers', () => {
  const post = (xpath: string, number: string) => {
    count += 1;
    const text = `{"entity-type": "document", "name": "p${count}", "type": "Every", "properties": {"${xpath}": ${number}}}`;
    return server.request.post(at(workspaces)).type('application/json').send(text);
  };

  test.each([
    ['ev:count', '9007199254740993'],
    ['ev:count', '123456789012345678901234567890'],
    ['ev:count', '1e400'],
    ['ev:count', '-1e400'],
    ['ev:count', '1e-3'],
    ['ev:size', '1e400'],
    ['ev:size', '-1e400'],
  ])('%s cannot hold %s', async (xpath, number) => {
    const { body } = await post(xpath, number).expect(400);
    expect(body).toMatchObject(exception(400, expect.stringContaining(xpath)));
  });

  test.each([
    ['ev:count', '1.0', 1],
    ['ev:count', '-0', 0],
    ['ev:count', '12e2', 1200],
    ['ev:size', '-0.0', 0],
    ['ev:size', '1e-400', 0],
    ['ev:size', '1.7976931348623157e308', Number.MAX_VALUE],
  ])('%s holds %s as %d', async (xpath, number, value) => {
    const { body } = await post(xpath, number).expect(201);
    const { properties } = (await server.request.get(at(body.path))).body;
    expect(properties[xpath]).toBe(value);
  });
});

describe('§4.1 unknown properties', () => {
  test.each([
    'dc:nothing',
    'nothing:title',
    'title',
    'dublincore:title',
    'DC:title',
    'dc:title/0',
    'ev:part/nothing',
    'ev:part/text/0',
    'ev:parts/text',
    'ev:parts/-1',
    '',
    ':',
    'dc:',
  ])('%j is refused', async (xpath) => {
    const { body } = await create({ [xpath]: 'x' }).expect(400);
    expect(body).toMatchObject(exception(400, `unknown property: ${xpath}`));
  });

  test('one of a schema that the type does not have is refused, null or not', async () => {
    await create({ 'file:content': null }).expect(400);
    const { path } = await createDocument(server, { type: 'Folder' });
    const body = entity({ properties: { 'file:content': null } });
    const answer = await server.request.put(at(path)).send(body).expect(400);
    expect(answer.body.message).toBe('unknown property: file:content');
  });
});
