import { describe, expect, test } from '@jest/globals';
import type { FieldDefinition, ModelDefinition } from '../../src/model/definitions.ts';
import { ModelError } from '../../src/model/model-error.ts';
import { modelOf } from './model-of.ts';

function errorOf(definition: Partial<ModelDefinition>): ModelError {
  try {
    modelOf(definition);
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
  throw new Error('no fault was found');
}

describe('errors of a model', () => {
  const s = { name: 's', fields: { a: 'string' } } as const;
  const cases: Array<[fault: string, definition: Partial<ModelDefinition>, place: string, words: string]> = [
    ['a name twice', { facets: [{ name: 'F' }, { name: 'F' }] }, 'facets.F', 'is defined twice'],
    ['a bad name', { facets: [{ name: 'F G' }] }, 'facets.F G.name', 'letters'],
    [
      'an unknown schema',
      { types: [{ name: 'T', schemas: ['s', 'u'] }], schemas: [s] },
      'types.T.schemas[1]',
      'u',
    ],
    ['an unknown facet', { types: [{ name: 'T', facets: ['u'] }] }, 'types.T.facets[0]', 'no facet u'],
    ['an unknown parent', { types: [{ name: 'T', parent: 'u' }] }, 'types.T.parent', 'no type u'],
    [
      'an unknown subtype',
      { types: [{ name: 'T', subtypes: ['T', 'u'] }] },
      'types.T.subtypes[1]',
      'no type u',
    ],
    [
      'a policy for an unknown type',
      { versioning: [{ name: 'P', types: ['u'], increment: 'MINOR' }] },
      'versioning.P.types[0]',
      'no type u',
    ],
    [
      'a policy for an unknown schema',
      { versioning: [{ name: 'P', schemas: ['u'], increment: 'MINOR' }] },
      'versioning.P.schemas[0]',
      'no schema u',
    ],
    ['an unknown schema of a facet', { facets: [{ name: 'F', schemas: ['u'] }] }, 'facets.F.schemas[0]', 'u'],
    [
      'an unknown schema of a directory',
      { directories: [{ name: 'd', schema: 'u' }] },
      'directories.d.schema',
      'u',
    ],
    [
      'an unknown parent of a directory',
      {
        directories: [{ name: 'd', schema: 's', parent: 'u' }],
        schemas: [{ name: 's', fields: { id: 'string', parent: 'string' } }],
      },
      'directories.d.parent',
      'no directory u',
    ],
    [
      'a parent of a directory without the field',
      { directories: [{ name: 'd', schema: 's', idField: 'a', parent: 'd' }], schemas: [s] },
      'directories.d.parent',
      'no field named parent',
    ],
    ['its own parent', { types: [{ name: 'T', parent: 'T' }] }, 'types.T.parent', 'T, T'],
    [
      'a circle of parents',
      {
        types: [
          { name: 'A', parent: 'B' },
          { name: 'B', parent: 'C' },
          { name: 'C', parent: 'A' },
        ],
      },
      'types.C.parent',
      'A, B, C, A',
    ],
    [
      'one xpath twice',
      {
        schemas: [
          { name: 'a', prefix: 'p', fields: { x: 'long' } },
          { name: 'b', prefix: 'p', fields: { x: 'long' } },
        ],
      },
      'schemas.b.fields.x',
      'p:x',
    ],
    [
      'a prefix that is a name',
      { schemas: [{ name: 'a', prefix: 's', fields: {} }, s] },
      'schemas.a.prefix',
      'name of another schema',
    ],
    ['a bad prefix', { schemas: [{ ...s, prefix: 'a:b' }] }, 'schemas.s.prefix', 'is not a valid prefix'],
    [
      'a bad name of a field',
      { schemas: [{ name: 's', fields: { 'a/b': 'long' } }] },
      'schemas.s.fields.a/b',
      'name',
    ],
  ];

  test.each(cases)('%s is reported with its location', (_, definition, place, words) => {
    const { faults, message } = errorOf(definition);
    expect(faults).toEqual([{ location: place, fault: expect.stringContaining(words) }]);
    expect(message).toBe(`${place}: ${faults[0]?.fault}`);
  });

  const fields: Array<[fault: string, field: FieldDefinition, below: string]> = [
    ['a complex field without sub-fields', { type: 'complex' }, '.fields'],
    ['a complex field with an empty set of them', { type: 'complex[]', fields: {} }, '.fields'],
    ['sub-fields of a string', { type: 'string', fields: { b: 'long' } }, '.fields'],
    ['a faulty sub-field', { type: 'complex', fields: { b: { type: 'complex' } } }, '.fields.b.fields'],
    ['a number that refers', { type: 'long', refersTo: { to: 'user' } }, '.refersTo'],
    [
      'an unknown directory',
      { type: 'string', refersTo: { to: 'directory', directory: 'u' } },
      '.refersTo.directory',
    ],
    ['a pattern that is none', { type: 'string', constraints: { pattern: '(' } }, '.constraints.pattern'],
    [
      'a pattern balanced by brackets',
      { type: 'string', constraints: { pattern: 'a)(b' } },
      '.constraints.pattern',
    ],
    ['a pattern for numbers', { type: 'long', constraints: { pattern: '1' } }, '.constraints.pattern'],
    ['a lower limit for strings', { type: 'string', constraints: { min: 1 } }, '.constraints.min'],
    ['limits the wrong way round', { type: 'long', constraints: { min: 2, max: 1 } }, '.constraints.min'],
    [
      'lengths the wrong way round',
      { type: 'string', constraints: { minLength: 2, maxLength: 1 } },
      '.constraints.minLength',
    ],
    [
      'a number of items for a single value',
      { type: 'string', constraints: { maxItems: 1 } },
      '.constraints.maxItems',
    ],
    ['a long number', { type: 'long', long: true }, '.long'],
    ['a long text with a length', { type: 'string', long: true, constraints: { maxLength: 1 } }, '.long'],
    ['a long list with a size', { type: 'blob[]', long: true, constraints: { maxItems: 1 } }, '.long'],
    ['an empty enumeration', { type: 'string', constraints: { enum: [] } }, '.constraints.enum'],
    ['a number for a string', { type: 'string', default: 1 }, '.default'],
    ['a fraction for a long', { type: 'long', default: 1.5 }, '.default'],
    ['a text for a double', { type: 'double', default: '1' }, '.default'],
    ['a text for a boolean', { type: 'boolean', default: 'true' }, '.default'],
    ['no day for a date', { type: 'date', default: '2024-13-01' }, '.default'],
    ['a default for a blob', { type: 'blob', default: 'a' }, '.default'],
    ['a default for a list', { type: 'string[]', default: 'a' }, '.default'],
    [
      'a default of no enumeration',
      { type: 'string', constraints: { enum: ['a'] }, default: 'b' },
      '.default',
    ],
    ['a default above all', { type: 'long', constraints: { max: 3 }, default: 7 }, '.default'],
    [
      'a default of another pattern',
      { type: 'string', constraints: { pattern: 'a' }, default: 'b' },
      '.default',
    ],
    [
      'a default of no pattern',
      { type: 'string', constraints: { pattern: '(' }, default: 'b' },
      '.constraints.pattern',
    ],
    [
      'a default of a sub-field',
      { type: 'complex', fields: { b: { type: 'string', constraints: { maxLength: 1 }, default: 'long' } } },
      '.fields.b.default',
    ],
  ];

  test.each(fields)('%s is reported at its field', (_, field, below) => {
    const error = errorOf({ schemas: [{ name: 's', fields: { a: field } }] });
    expect(error.faults.map(({ location }) => location)).toEqual([`schemas.s.fields.a${below}`]);
  });

  test('are reported together, each on its own line', () => {
    const error = errorOf({ types: [{ name: 'T', parent: 'u', facets: ['v'], schemas: ['w'] }] });
    expect(error.message.split('\n')).toHaveLength(3);
  });

  test.each<[string, FieldDefinition]>([
    ['string', { type: 'string', default: '' }],
    ['long', { type: 'long', default: -1 }],
    ['double', { type: 'double', default: 0.5 }],
    ['boolean', { type: 'boolean', default: false }],
    ['date', { type: 'date', default: '2024-03-01T10:15:30.000Z' }],
  ])('a valid default of a %s is none', (_, field) => {
    const model = modelOf({ schemas: [{ name: 's', fields: { a: field } }] });
    expect(model.property('s:a')?.default).toBe(field.default);
  });
});
