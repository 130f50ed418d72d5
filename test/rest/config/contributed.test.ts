import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ModelDefinition } from '../../../src/model/definitions.ts';
import { updateDocument } from '../../support/documents.ts';
import { newFolder } from '../../support/folder.ts';
import { startServer, statements, useServer } from '../../support/server.ts';

const contribution: Partial<ModelDefinition> = {
  schemas: [
    {
      name: 'invoice',
      prefix: 'inv',
      fields: {
        number: { type: 'string', constraints: { required: true, pattern: '[A-Z]{2}-\\d+' } },
        code: { type: 'string', constraints: { minLength: 2, maxLength: 4 } },
        amount: { type: 'double', constraints: { min: 0, max: 100 } },
        status: { type: 'string', constraints: { enum: ['open', 'paid'] }, default: 'open' },
        nature: { type: 'string', refersTo: { to: 'directory', directory: 'nature' } },
        lines: {
          type: 'complex[]',
          fields: { text: { type: 'string', constraints: { required: true } }, count: 'long' },
        },
        tags: { type: 'string[]', constraints: { maxLength: 3 } },
      },
    },
  ],
  facets: [{ name: 'Payable', schemas: ['invoice'] }],
  types: [{ name: 'Invoice', parent: 'File', facets: ['Payable'] }],
};

const server = useServer({}, contribution);

const invoice = (properties: Record<string, unknown>) => ({
  'entity-type': 'document',
  type: 'Invoice',
  name: 'invoice',
  properties,
});

const create = (properties: Record<string, unknown>) =>
  server.request.post('/api/v1/path/').send(invoice({ 'inv:number': 'AB-1', ...properties }));

describe('§4.6 a contributed model', () => {
  test('is part of the answers of /config', async () => {
    const schema = (await server.request.get('/api/v1/config/schemas/invoice').expect(200)).body;
    expect(schema).toEqual({
      'entity-type': 'schema',
      name: 'invoice',
      prefix: 'inv',
      '@prefix': 'inv',
      fields: {
        number: 'string',
        code: 'string',
        amount: 'double',
        status: 'string',
        nature: 'string',
        lines: { type: 'complex[]', fields: { text: 'string', count: 'long' } },
        tags: 'string[]',
      },
    });
    const facet = (await server.request.get('/api/v1/config/facets/Payable').expect(200)).body;
    expect(facet.schemas).toEqual([schema]);
    const type = (await server.request.get('/api/v1/config/types/Invoice').expect(200)).body;
    expect(type.parent).toBe('File');
    expect(type.facets).toEqual(expect.arrayContaining(['Payable', 'Downloadable']));
    expect(type.schemas).toEqual(expect.arrayContaining([schema]));
    const { doctypes, schemas } = (await server.request.get('/api/v1/config/types')).body;
    expect(doctypes.Invoice.schemas).toContain('invoice');
    expect(schemas.invoice).toEqual({ '@prefix': 'inv', ...schema.fields });
  });

  test('defines types whose documents can be created and read by schema', async () => {
    const made = await create({ 'inv:amount': 12.5, 'inv:lines': [{ text: 'Paper', count: 2 }] }).expect(201);
    expect(made.body).toMatchObject({ type: 'Invoice', path: '/invoice' });
    expect(made.body.facets).toContain('Payable');
    expect(made.body.schemas).toContainEqual({ name: 'invoice', prefix: 'inv' });
    expect(statements(made)).toBeLessThanOrEqual(8);
    const read = await server.request
      .get(`/api/v1/id/${made.body.uid}`)
      .set('properties', 'invoice')
      .set('Prefer', 'handling=strict')
      .expect(200);
    expect(read.body.properties).toEqual({
      'inv:number': 'AB-1',
      'inv:code': null,
      'inv:amount': 12.5,
      'inv:status': 'open',
      'inv:nature': null,
      'inv:lines': [{ text: 'Paper', count: 2 }],
      'inv:tags': [],
    });
    expect(statements(read)).toBeLessThanOrEqual(2);
  });

  test('does not change the built-in types', async () => {
    const body = { 'entity-type': 'document', type: 'File', name: 'f', properties: { 'inv:number': 'AB-1' } };
    const { body: error } = await server.request.post('/api/v1/path/').send(body).expect(400);
    expect(error.message).toContain('inv:number');
  });
});

const field = (name: string, index?: number) =>
  index === undefined
    ? { field_name: name, is_list_item: false }
    : { field_name: name, is_list_item: true, index };

const broken = [
  ['required, absent', { 'inv:number': null }, 'NotNullConstraint', [field('inv:number')], null],
  ['pattern', { 'inv:number': 'ab-1' }, 'PatternConstraint', [field('inv:number')], 'ab-1'],
  ['pattern of the whole', { 'inv:number': 'AB-1x' }, 'PatternConstraint', [field('inv:number')], 'AB-1x'],
  ['minLength', { 'inv:code': 'a' }, 'LengthConstraint', [field('inv:code')], 'a'],
  ['maxLength', { 'inv:code': 'abcde' }, 'LengthConstraint', [field('inv:code')], 'abcde'],
  ['min', { 'inv:amount': -0.5 }, 'NumericIntervalConstraint', [field('inv:amount')], -0.5],
  ['max', { 'inv:amount': 101 }, 'NumericIntervalConstraint', [field('inv:amount')], 101],
  ['enum', { 'inv:status': 'lost' }, 'EnumConstraint', [field('inv:status')], 'lost'],
  ['directory', { 'inv:nature': 'nosuch' }, 'directoryResolver', [field('inv:nature')], 'nosuch'],
  ['list item', { 'inv:tags': ['abc', 'abcd'] }, 'LengthConstraint', [field('inv:tags', 1)], 'abcd'],
  [
    'field of a list item',
    { 'inv:lines': [{ count: 1 }] },
    'NotNullConstraint',
    [field('inv:lines', 0), field('text')],
    null,
  ],
] as const;

describe('§7 constraints of a contributed model', () => {
  test.each(broken)('answer 422 with the validation report: %s', async (_, properties, name, path, value) => {
    const { body, headers } = await create(properties).expect(422);
    expect(body).toEqual({
      'entity-type': 'validation_report',
      status: 422,
      message: expect.stringMatching(/^\S+: \S.+\.$/),
      requestId: headers['x-request-id'],
      has_error: true,
      number: 1,
      violations: [
        {
          messageKey: `label.schema.constraint.violation.${name}`,
          message: expect.stringMatching(/\S/),
          invalid_value: value,
          constraint: { 'entity-type': 'validation_constraint', name, parameters: expect.any(Object) },
          path,
        },
      ],
    });
  });

  test('accept values at their limits', async () => {
    const edges = { 'inv:code': 'ab', 'inv:amount': 0, 'inv:status': 'paid', 'inv:nature': 'article' };
    await create(edges).expect(201);
    await create({ 'inv:code': '𝒜𝒜𝒜𝒜', 'inv:amount': 100, 'inv:tags': ['abc'] }).expect(201);
  });

  test('report all violations together', async () => {
    const { body } = await create({ 'inv:number': 'x', 'inv:amount': -1, 'inv:code': 'a' }).expect(422);
    expect(body.number).toBe(3);
    expect(body.violations).toHaveLength(3);
  });

  test('apply to the changed properties of an update', async () => {
    const { uid } = (await create({}).expect(201)).body;
    const put = (properties: object) => updateDocument(server.request, uid, properties);
    await put({ 'inv:amount': 200 }).expect(422);
    await put({ 'inv:number': null }).expect(422);
    expect((await put({ 'inv:amount': 20 }).expect(200)).body.properties['inv:amount']).toBe(20);
  });

  test('answer 400 for a value of the wrong JSON type', async () => {
    const { body } = await create({ 'inv:amount': 'much' }).expect(400);
    expect(body.message).toContain('inv:amount');
  });
});

describe('§4.6 the server does not start', () => {
  async function failing(files: Record<string, string>): Promise<string> {
    const folder = newFolder();
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return startServer({ MODEL_DIR: folder }).then(
      () => 'it started',
      (error: Error) => error.message,
    );
  }

  test.each([
    [
      'an unknown field type',
      { schemas: [{ name: 's', fields: { amount: { type: 'money' } } }] },
      ['schemas[0].fields.amount.type', '"money" is not a field type'],
    ],
    [
      'a type of an unknown schema',
      { types: [{ name: 'T', parent: 'File', schemas: ['nosuch'] }] },
      ['types.T.schemas[0]', 'nosuch'],
    ],
    [
      'a taken name',
      { schemas: [{ name: 'dublincore', fields: {} }] },
      ['schemas.dublincore', 'is defined twice'],
    ],
    ['an unknown key', { shcemas: [] }, ['shcemas', 'is not a known field']],
  ])('with %s in a model, and names the file, the location and the fault', async (_, model, said) => {
    const message = await failing({ 'faulty.json': JSON.stringify(model) });
    for (const part of ['faulty.json', ...said]) expect(message).toContain(part);
  });

  test('with a chain, a page provider and an index at fault, and names all of them', async () => {
    const faulty = {
      chains: [{ name: 'c', operations: [{ id: 'Nosuch' }] }],
      pageProviders: [{ name: 'p', query: 'SELECT * FROM Nosuch' }],
      indexes: [{ property: 'no:such' }],
    };
    const said = await failing({ 'faulty.json': JSON.stringify(faulty) });
    expect(said).toContain('indexes.no:such: unknown property: no:such\n');
    expect(said.split('\n').map((line) => line.split(': ')[1])).toEqual([
      'indexes.no:such',
      expect.stringMatching(/^pageProviders\.p/),
      'chains.c.operations[0].id',
    ]);
  });

  test('with a model file that is not JSON', async () => {
    expect(await failing({ 'broken.json': '{' })).toMatch(/broken\.json: cannot be read as JSON/);
  });

  test('with a MODEL_DIR that does not exist', async () => {
    await expect(startServer({ MODEL_DIR: '/nosuch/model' })).rejects.toThrow('/nosuch/model');
  });
});

test('§4 the OpenAPI description lists contributed schemas and properties to fetch', async () => {
  const { body } = await server.request.get('/api/v1/openapi.json').expect(200);
  const { properties, 'fetch.document': fetch } = body.components.parameters;
  expect(properties.schema.items.enum).toEqual(expect.arrayContaining(['invoice', 'dublincore']));
  expect(fetch.schema.items.enum).toEqual(expect.arrayContaining(['inv:nature', 'dc:nature']));
});
