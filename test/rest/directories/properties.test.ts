import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { statements, type TestServer } from '../../support/server.ts';
import { startWithModel } from '../documents/requests.ts';
import { at, createEntry, entry, fault, newId } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startWithModel({
    schemas: [
      {
        name: 'thing',
        fields: {
          ...{ id: 'string', text: 'string', count: 'long', size: 'double', isOn: 'boolean', day: 'date' },
          ...{ words: 'string[]', part: { type: 'complex', fields: { name: 'string', at: 'date' } } },
          code: { type: 'string', constraints: { pattern: '[a-z]+', maxLength: 3 } },
          nature: { type: 'string', refersTo: { to: 'directory', directory: 'nature' } },
          needed: { type: 'string', constraints: { required: true } },
        },
      },
    ],
    directories: [{ name: 'thing', schema: 'thing' }],
  });
});
afterAll(() => server.stop());

const post = (properties: object, directory = 'thing') =>
  server.request.post(at(directory)).send(entry(directory, { properties: { id: newId(), ...properties } }));
const put = (id: string, properties: object, directory = 'thing') =>
  server.request.put(at(directory, id)).send(entry(directory, { id, properties }));

describe('§2.4 properties of an entry', () => {
  test('are typed as the schema says, and unset ones are null or empty', async () => {
    const given = {
      ...{ text: 'T', count: 3, size: 1.5, isOn: false, day: '2024-03-01T10:15:30+01:00' },
      ...{ words: ['a', 'b'], part: { name: 'P' }, nature: 'article', needed: 'x' },
    };
    const { body } = await post(given).expect(201);
    const shown = { ...given, id: body.id, day: '2024-03-01T09:15:30.000Z', part: { name: 'P', at: null } };
    expect(body.properties).toEqual({ ...shown, code: null });
    const bare = (await post({ needed: 'x' }).expect(201)).body;
    expect(bare.properties).toEqual({
      ...{ id: bare.id, text: null, count: null, size: null, isOn: null, day: null },
      ...{ words: [], part: null, code: null, nature: null, needed: 'x' },
    });
  });

  test.each([
    ['unknown', { colour: 'red' }],
    ['with a prefix', { 'thing:text': 'x' }],
    ['a number for a text', { text: 1 }],
    ['a text for a number', { count: '1' }],
    ['a fraction for a whole number', { count: 1.5 }],
    ['a text for a boolean', { isOn: 'true' }],
    ['no date', { day: 'tomorrow' }],
    ['no such date', { day: '2023-02-29' }],
    ['a text for a list', { words: 'a' }],
    ['a text for an object', { part: 'P' }],
    ['an unknown sub-field', { part: { colour: 'red' } }],
  ])('a field that is %s: 400 on POST and PUT, and nothing is written', async (_, wrong) => {
    const [name = ''] = Object.keys(wrong);
    const id = newId();
    const created = await post({ id, needed: 'x', ...wrong }).expect(400);
    expect(created.body).toMatchObject(fault(400, expect.stringContaining(name)));
    await server.request.get(at('thing', id)).expect(404);
    const before = await createEntry(server, 'thing', { needed: 'x', text: 'before' });
    await put(before.id, { needed: 'y', ...wrong }).expect(400);
    expect((await server.request.get(at('thing', before.id))).body).toEqual(before);
  });

  test.each([
    ['pattern', { code: 'A' }, 'PatternConstraint', 'code', 'A'],
    ['maxLength', { code: 'abcd' }, 'LengthConstraint', 'code', 'abcd'],
    ['vocabulary', { nature: 'nosuch' }, 'directoryResolver', 'nature', 'nosuch'],
    ['required', { needed: null }, 'NotNullConstraint', 'needed', null],
  ])('a broken constraint (%s): 422 with the validation report', async (_, wrong, name, field, value) => {
    const report = {
      'entity-type': 'validation_report',
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
    expect((await server.request.get(at('thing', before.id))).body).toEqual(before);
  });

  test('PUT writes the fields given; null clears; what is not there stays', async () => {
    const { id } = await createEntry(server, 'thing', { needed: 'x', text: 'T', count: 3, words: ['a'] });
    const { body } = await put(id, { text: null, words: [] }).expect(200);
    expect(body.properties).toMatchObject({ text: null, count: 3, words: [], needed: 'x' });
  });

  test('what a GET answered can be sent back', async () => {
    const { body } = await server.request.get(at('nature', 'article')).expect(200);
    const response = await server.request.put(at('nature', 'article')).send(body).expect(200);
    expect(response.body).toEqual(body);
    expect(statements(response)).toBeLessThanOrEqual(2);
  });

  test('a cleared ordering stands where a new entry would', async () => {
    await createEntry(server, 'language', { id: 'aa', ordering: 5 });
    const first = async () => (await server.request.get(at('language'))).body.entries[0].id;
    expect(await first()).toBe('aa');
    await put('aa', { ordering: 20_000_000 }, 'language').expect(200);
    expect(await first()).toBe('ar');
    const { body } = await put('aa', { ordering: null }, 'language').expect(200);
    expect(body.properties.ordering).toBeNull();
    expect(await first()).toBe('aa');
  });

  test('any JSON answers 201, 400 or 422, and what is kept is shown alike when it is read', async () => {
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
        const read = await server.request.get(at('thing', response.body.id)).expect(200);
        expect(read.body).toEqual(response.body);
      }),
      { numRuns: 60 },
    );
  });
});

describe('§4.5 the source of entries is one for all', () => {
  const create = (nature: string) =>
    server.request.post('/api/v1/path/').send({
      'entity-type': 'document',
      type: 'File',
      name: 'f',
      properties: { 'dc:nature': nature },
    });

  test('a document may name an entry as soon as it is there, and not when it is gone', async () => {
    const { id } = await createEntry(server, 'nature');
    await create(id).expect(201);
    await server.request.delete(at('nature', id)).expect(204);
    const { body } = await create(id).expect(422);
    expect(body.violations[0].constraint.name).toBe('directoryResolver');
  });
});
