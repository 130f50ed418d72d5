import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { atDirectory, createEntry, entryBody, newEntryId } from './directory-requests.ts';

const server = useServer(
  {},
  {
    schemas: [
      {
        name: 'thing',
        fields: {
          id: 'string',
          text: 'string',
          count: 'long',
          size: 'double',
          isOn: 'boolean',
          day: 'date',
          words: 'string[]',
          part: { type: 'complex', fields: { name: 'string', at: 'date' } },
          code: { type: 'string', constraints: { pattern: '[a-z]+', maxLength: 3 } },
          nature: { type: 'string', refersTo: { to: 'directory', directory: 'nature' } },
          needed: { type: 'string', constraints: { required: true } },
        },
      },
    ],
    directories: [{ name: 'thing', schema: 'thing' }],
  },
);

const post = (properties: object, directory = 'thing') =>
  server.request
    .post(atDirectory(directory))
    .send(entryBody(directory, { properties: { id: newEntryId(), ...properties } }));
const put = (id: string, properties: object, directory = 'thing') =>
  server.request.put(atDirectory(directory, id)).send(entryBody(directory, { id, properties }));

describe('§2.4 properties of an entry', () => {
  test('have the types of the schema; unset ones are null or empty', async () => {
    const given = {
      text: 'T',
      count: 3,
      size: 1.5,
      isOn: false,
      day: '2024-03-01T10:15:30+01:00',
      words: ['a', 'b'],
      part: { name: 'P' },
      nature: 'article',
      needed: 'x',
    };
    const { body } = await post(given).expect(201);
    const shown = { ...given, id: body.id, day: '2024-03-01T09:15:30.000Z', part: { name: 'P', at: null } };
    expect(body.properties).toEqual({ ...shown, code: null });
    const bare = (await post({ needed: 'x' }).expect(201)).body;
    expect(bare.properties).toEqual({
      id: bare.id,
      text: null,
      count: null,
      size: null,
      isOn: null,
      day: null,
      words: [],
      part: null,
      code: null,
      nature: null,
      needed: 'x',
    });
  });

  test.each([
    ['unknown', { colour: 'red' }],
    ['with a prefix', { 'thing:text': 'x' }],
    ['a number for a text', { text: 1 }],
    ['a text for a number', { count: '1' }],
    ['a fraction for a whole number', { count: 1.5 }],
    ['a text for a boolean', { isOn: 'yes' }],
    ['no date', { day: 'tomorrow' }],
    ['no such date', { day: '2023-02-29' }],
    ['a text for a list', { words: 'a' }],
    ['a text for an object', { part: 'P' }],
    ['an unknown sub-field', { part: { colour: 'red' } }],
  ])('answer 400 on POST and PUT and write nothing for: %s', async (_, wrong) => {
    const [name = ''] = Object.keys(wrong);
    const id = newEntryId();
    const created = await post({ id, needed: 'x', ...wrong }).expect(400);
    expect(created.body).toMatchObject(exception(400, expect.stringContaining(name)));
    await server.request.get(atDirectory('thing', id)).expect(404);
    const before = await createEntry(server, 'thing', { needed: 'x', text: 'before' });
    await put(before.id, { needed: 'y', ...wrong }).expect(400);
    expect((await server.request.get(atDirectory('thing', before.id))).body).toEqual(before);
  });

  test('§4.5 a whole number outside of the limits is 400, and the message says what they are', async () => {
    const limits = 'count: expected an integer within ±9007199254740991, got a number';
    for (const count of ['9007199254740993', '-1e20']) {
      const body = JSON.stringify(entryBody('thing', { properties: { id: 'large', needed: 'x', count: 0 } }));
      const sent = server.request
        .post(atDirectory('thing'))
        .type('json')
        .send(body.replace('"count":0', `"count":${count}`));
      expect((await sent.expect(400)).body.message).toContain(limits);
    }
  });

  test.each([
    ['pattern', { code: 'A' }, 'PatternConstraint', 'code', 'A'],
    ['maxLength', { code: 'abcd' }, 'LengthConstraint', 'code', 'abcd'],
    ['vocabulary', { nature: 'nosuch' }, 'directoryResolver', 'nature', 'nosuch'],
    ['required', { needed: null }, 'NotNullConstraint', 'needed', null],
  ])(
    'answer 422 with the validation report for a violated constraint: %s',
    async (_, wrong, name, field, value) => {
      const report = {
        'entity-type': 'validation_report',
        status: 422,
        message: expect.stringMatching(`^${field}: \\S`),
        requestId: expect.any(String),
        has_error: true,
        number: 1,
        violations: [
          {
            messageKey: `label.schema.constraint.violation.${name}`,
            message: expect.stringMatching(/\S/),
            invalid_value: value,
            constraint: { 'entity-type': 'validation_constraint', name, parameters: expect.any(Object) },
            path: [{ field_name: field, is_list_item: false }],
          },
        ],
      };
      expect((await post({ needed: 'x', ...wrong }).expect(422)).body).toEqual(report);
      const before = await createEntry(server, 'thing', { needed: 'x' });
      expect((await put(before.id, wrong).expect(422)).body).toEqual(report);
      expect((await server.request.get(atDirectory('thing', before.id))).body).toEqual(before);
    },
  );

  test('are partially updated by PUT: null clears, missing ones stay', async () => {
    const { id } = await createEntry(server, 'thing', { needed: 'x', text: 'T', count: 3, words: ['a'] });
    const { body } = await put(id, { text: null, words: [] }).expect(200);
    expect(body.properties).toMatchObject({ text: null, count: 3, words: [], needed: 'x' });
  });

  test('from a GET can be sent back unchanged', async () => {
    const { body } = await server.request.get(atDirectory('nature', 'article')).expect(200);
    const response = await server.request.put(atDirectory('nature', 'article')).send(body).expect(200);
    expect(response.body).toEqual(body);
    expect(statements(response)).toBeLessThanOrEqual(2);
  });

  test('sort an entry with a cleared ordering like a new one', async () => {
    await createEntry(server, 'language', { id: 'aa', ordering: 5 });
    const first = async () => (await server.request.get(atDirectory('language'))).body.entries[0].id;
    expect(await first()).toBe('aa');
    await put('aa', { ordering: 20_000_000 }, 'language').expect(200);
    expect(await first()).toBe('ar');
    const { body } = await put('aa', { ordering: null }, 'language').expect(200);
    expect(body.properties.ordering).toBeNull();
    expect(await first()).toBe('aa');
  });

  test('answer 201, 400 or 422 to any JSON, and GET returns what POST returned', async () => {
    const names = ['text', 'count', 'size', 'isOn', 'day', 'words', 'part', 'code', 'nature', 'needed'];
    const json = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('x', 1, 'article', ['a'], { name: 'P' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), json), async (properties) => {
        const response = await post(properties);
        expect([201, 400, 422]).toContain(response.status);
        if (response.status !== 201) return;
        const read = await server.request.get(atDirectory('thing', response.body.id)).expect(200);
        expect(read.body).toEqual(response.body);
      }),
      { numRuns: 20 },
    );
  });
});

describe('§4.5 entries as values of document properties', () => {
  const create = (nature: string) =>
    server.request.post('/api/v1/path/').send({
      'entity-type': 'document',
      type: 'File',
      name: 'f',
      properties: { 'dc:nature': nature },
    });

  test('are accepted after their creation and rejected after their deletion', async () => {
    const { id } = await createEntry(server, 'nature');
    await create(id).expect(201);
    await server.request.delete(atDirectory('nature', id)).expect(204);
    const { body } = await create(id).expect(422);
    expect(body.violations[0].constraint.name).toBe('directoryResolver');
  });
});
