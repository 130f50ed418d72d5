import { describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, documentBody, workspaces } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';

const server = useServer({}, everyType);
let count = 0;

const create = (properties: Record<string, unknown>, type = 'Every') => {
  count += 1;
  return server.request.post(atPath(workspaces)).send(documentBody({ name: `p${count}`, type, properties }));
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

describe('§2.1 the properties of a document', () => {
  test('are returned as they were sent for every type of property', async () => {
    const { body } = await create(some).expect(201);
    expect(body.properties).toMatchObject(some);
    expect((await server.request.get(atPath(body.path))).body.properties).toEqual(body.properties);
  });

  test('are null when unset, and [] when they are lists', async () => {
    const { body } = await create({}).expect(201);
    const { properties } = (await server.request.get(atPath(body.path))).body;
    const shown = Object.entries(properties).filter(([xpath]) => xpath.startsWith('ev:'));
    const lists = ['texts', 'counts', 'sizes', 'flags', 'days', 'files', 'parts', 'related'];
    expect(shown).toHaveLength(17);
    for (const [xpath, value] of shown) {
      expect([xpath, value]).toEqual([xpath, lists.includes(xpath.slice(3)) ? [] : null]);
    }
  });

  test('return dates of any precision and time zone in UTC with milliseconds', async () => {
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

  test('return all fields of complex values, unset ones too', async () => {
    const { body } = await create({ 'ev:part': { text: 'A' } }).expect(201);
    const { properties } = (await server.request.get(atPath(body.path))).body;
    expect(properties['ev:part']).toEqual({ text: 'A', count: null, days: [], file: null, inner: null });
  });

  test('accept blobs in scalars, lists and complex values', async () => {
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

  test('start with the default values of the type unless the request gives others', async () => {
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

  test('a property of a schema that the type does not have is refused, even when null', async () => {
    await create({ 'file:content': null }).expect(400);
    const { path } = await createDocument(server, { type: 'Folder' });
    const body = documentBody({ properties: { 'file:content': null } });
    const answer = await server.request.put(atPath(path)).send(body).expect(400);
    expect(answer.body.message).toBe('unknown property: file:content');
  });
});

describe('§4.1 several faults in properties', () => {
  const faulty = {
    'dc:title': 1,
    'dc:description': 'fine',
    'dc:nothing': 'x',
    'dc:subjects': ['fine', 2, { a: 1 }],
    'ev:part': { text: true, nothing: 'x' },
    'dc:created': '2024-02-30',
  };
  const message = [
    'Unable to deserialize property: dc:title: expected a string, got a number',
    'unknown property: dc:nothing',
    'Unable to deserialize property: dc:subjects/1: expected a string, got a number',
    'Unable to deserialize property: dc:subjects/2: expected a string, got an object',
    'Unable to deserialize property: ev:part/text: expected a string, got a boolean',
    'ev:part has no field "nothing"',
    'dc:created: "2024-02-30" is not a W3C date-time',
  ].join('; ');

  test('are all named, of a new document as of a changed one, and nothing is written', async () => {
    const { body } = await create(faulty).expect(400);
    expect(body).toMatchObject(exception(400, message));
    const { uid } = (await create({ 'dc:title': 'before' }).expect(201)).body;
    const sent = server.request.put(atId(uid)).send(documentBody({ properties: faulty }));
    expect((await sent.expect(400)).body).toMatchObject(exception(400, message));
    const { body: after } = await server.request.get(atId(uid)).set('properties', '*').expect(200);
    expect(after.properties).toMatchObject({ 'dc:title': 'before', 'dc:description': null });
  });

  test('are named up to the hundredth, and counted (§4.1)', async () => {
    const subjects = Array.from({ length: 20_000 }, () => 1);
    const { body } = await create({ 'dc:subjects': subjects, 'dc:nothing': 1 }).expect(400);
    const named = body.message.split('; ');
    expect(named).toHaveLength(101);
    expect(named[99]).toContain('dc:subjects/99: ');
    expect(named[100]).toBe('and 19901 more');
  });

  test('are counted when they are unknown names (§4.1)', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`dc:no${index}`, 1]));
    const { body } = await create(unknown).expect(400);
    const named = body.message.split('; ');
    expect(named).toHaveLength(101);
    expect(named.slice(99)).toEqual(['unknown property: dc:no99', 'and 1900 more']);
  });
});
