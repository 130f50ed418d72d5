import { describe, expect, test } from '@jest/globals';
import type { ModelDefinition } from '../../../src/model/definitions.ts';
import { useServer } from '../../support/server.ts';

const contribution: Partial<ModelDefinition> = {
  schemas: [
    {
      name: 'parcel',
      fields: {
        plain: 'string',
        number: { type: 'string', constraints: { required: true, pattern: '[A-Z]+' } },
        code: { type: 'string', constraints: { minLength: 2, maxLength: 4 } },
        weight: { type: 'double', constraints: { min: 0 } },
        count: { type: 'long', constraints: { min: 1, max: 9 } },
        status: { type: 'string', constraints: { enum: ['open', 'paid'] } },
        natures: { type: 'string[]', refersTo: { to: 'directory', directory: 'nature' } },
        tags: { type: 'string[]', constraints: { required: true, maxLength: 3, maxItems: 7 } },
        lines: {
          type: 'complex[]',
          fields: { text: { type: 'string', constraints: { required: true } }, scan: 'blob' },
        },
      },
    },
  ],
  facets: [{ name: 'Postal', schemas: ['parcel'] }],
  types: [{ name: 'Parcel', parent: 'File', facets: ['Postal'] }],
};

const server = useServer({}, contribution);

const get = (address: string, headers: Record<string, string> = { 'fetch.schema': 'fields' }) =>
  server.request.get(`/api/v1/config${address}`).set(headers);

const constraint = (name: string, parameters: Record<string, string> = {}) => ({
  'entity-type': 'validation_constraint',
  name,
  parameters,
});

const field = (type: string, constraints: unknown[] = [], itemConstraints: unknown[] = []) => ({
  type,
  constraints,
  itemConstraints,
});

const characters = constraint('LengthConstraint', { Maximum: '100000' });
const items = constraint('ItemCountConstraint', { Maximum: '100000' });

const parcel = {
  plain: field('string', [characters]),
  number: field('string', [
    constraint('NotNullConstraint'),
    constraint('PatternConstraint', { Pattern: '[A-Z]+' }),
    characters,
  ]),
  code: field('string', [constraint('LengthConstraint', { Minimum: '2', Maximum: '4' })]),
  weight: field('double', [constraint('NumericIntervalConstraint', { Minimum: '0' })]),
  count: field('long', [constraint('NumericIntervalConstraint', { Minimum: '1', Maximum: '9' })]),
  status: field('string', [characters, constraint('EnumConstraint', { Values: 'open, paid' })]),
  natures: field('string[]', [items], [characters, constraint('directoryResolver', { directory: 'nature' })]),
  tags: field(
    'string[]',
    [constraint('NotNullConstraint'), constraint('ItemCountConstraint', { Maximum: '7' })],
    [constraint('LengthConstraint', { Maximum: '3' })],
  ),
  lines: {
    ...field('complex[]', [items]),
    fields: { text: field('string', [constraint('NotNullConstraint'), characters]), scan: field('blob') },
  },
};

describe('§4.6 fetch.schema: fields', () => {
  test('adds the constraints of each field and of list items', async () => {
    const { body } = await get('/schemas/parcel').expect(200);
    expect(body).toEqual({ 'entity-type': 'schema', name: 'parcel', fields: parcel });
  });

  test('names what the values of a field refer to', async () => {
    const fieldsOf = async (schema: string) => (await get(`/schemas/${schema}`).expect(200)).body.fields;
    const [user, document] = [constraint('userManagerResolver'), constraint('documentResolver')];
    expect(await fieldsOf('dublincore')).toMatchObject({
      title: field('string', [constraint('LengthConstraint', { Maximum: '10000' })]),
      description: field('string'),
      creator: field('string', [characters, user]),
      contributors: field('string[]', [], [characters, user]),
      lastContributor: field('string', [characters, user]),
      nature: field('string', [characters, constraint('directoryResolver', { directory: 'nature' })]),
    });
    expect((await fieldsOf('publishing')).sections).toEqual(
      field('string[]', [items], [characters, document]),
    );
    expect((await fieldsOf('collection')).documentIds).toEqual(field('string[]', [], [characters, document]));
    expect((await fieldsOf('task')).taskComments.fields.author).toEqual(field('string', [characters, user]));
    const properties = { 'publish:sections': ['no-such'], 'dc:creator': 'no-such' };
    const workspace = { 'entity-type': 'document', type: 'Workspace', name: 'resolvers', properties };
    await server.request.post('/api/v1/path/default-domain/workspaces').send(workspace).expect(201);
  });

  test('applies to all schema entities, but not to the map of /config/types', async () => {
    const { body: schemas } = await get('/schemas').expect(200);
    const { body: facet } = await get('/facets/Postal').expect(200);
    const { body: facets } = await get('/facets').expect(200);
    const { body: type } = await get('/types/Parcel').expect(200);
    const { body: types } = await get('/types').expect(200);
    const named = (list: Array<{ name: string }>, name: string) => list.find((entry) => entry.name === name);
    const schema = { 'entity-type': 'schema', name: 'parcel', fields: parcel };
    expect(named(schemas.entries, 'parcel')).toEqual(schema);
    expect(facet.schemas).toEqual([schema]);
    expect(named(facets.entries, 'Postal')).toEqual(facet);
    expect(named(type.schemas, 'parcel')).toEqual(schema);
    expect(named(types.entries, 'Parcel')).toEqual(type);
    expect(types.schemas.parcel.plain).toBe('string');
  });

  test('describes a constraint as the validation report does', async () => {
    const properties = { 'parcel:number': 'AB', 'parcel:tags': [], 'parcel:code': 'x' };
    const document = { 'entity-type': 'document', type: 'Parcel', name: 'parcel', properties };
    const { body } = await server.request.post('/api/v1/path/').send(document).expect(422);
    expect(body.violations.map((violation: { constraint: unknown }) => violation.constraint)).toEqual(
      expect.arrayContaining([...parcel.code.constraints]),
    );
  });

  test('is needed for constraints: without it or with other names, fields are types', async () => {
    for (const headers of [{}, { 'fetch.schema': 'constraints' }, { 'fetch.document': 'fields' }]) {
      const { body } = await get('/schemas/parcel', headers as Record<string, string>).expect(200);
      expect(body.fields.code).toBe('string');
    }
    const strict = { 'fetch.schema': 'constraints', Prefer: 'handling=strict' };
    const { body } = await get('/schemas/parcel', strict).expect(400);
    expect(body.message).toContain('constraints');
  });

  test.each(['fetch-schema', 'X-NXfetch.schema'])('is also accepted as %s', async (name) => {
    const { body } = await get('/schemas/parcel', { [name]: 'fields' }).expect(200);
    expect(body.fields).toEqual(parcel);
  });

  test('is listed in Vary', async () => {
    for (const headers of [{}, { 'fetch.schema': 'fields' }]) {
      const response = await get('/schemas/parcel', headers as Record<string, string>).expect(200);
      expect(response.headers.vary).toContain('fetch.schema');
    }
  });
});
