import { describe, expect, test } from '@jest/globals';
import { renderFields, renderSchemas, renderTypes } from '../../src/model/introspection.ts';
import { modelOf } from './model-of.ts';
import { schemaOf } from './values/properties-of.ts';

describe('§4.6 the description of the model', () => {
  test('has the fields of a schema with their types', () => {
    const schema = schemaOf({
      text: 'string',
      day: { type: 'date', constraints: { required: true } },
      texts: 'string[]',
      file: 'blob',
      files: 'blob[]',
      part: {
        type: 'complex',
        fields: { a: 'long', inner: { type: 'complex[]', fields: { b: 'double[]' } } },
      },
    });
    expect(renderFields(schema)).toEqual({
      text: 'string',
      day: 'date',
      texts: 'string[]',
      file: 'blob',
      files: 'blob[]',
      part: {
        type: 'complex',
        fields: { a: 'long', inner: { type: 'complex[]', fields: { b: 'double[]' } } },
      },
    });
  });

  test('has types and schemas by name, inherited schemas and facets included', () => {
    const model = modelOf({
      schemas: [
        { name: 'plain', fields: { a: 'string' } },
        { name: 'prefixed', prefix: 'pre', fields: { b: 'long' } },
      ],
      facets: [{ name: 'Marked', schemas: ['prefixed'] }],
      types: [
        { name: 'Base', schemas: ['plain'] },
        { name: 'Leaf', parent: 'Base', facets: ['Marked'] },
      ],
    });
    expect(renderTypes(model)).toEqual({
      Base: { parent: 'None!!!', facets: [], schemas: ['plain'] },
      Leaf: { parent: 'Base', facets: ['Marked'], schemas: ['plain', 'prefixed'] },
    });
    expect(renderSchemas(model)).toEqual({
      plain: { a: 'string' },
      prefixed: { '@prefix': 'pre', b: 'long' },
    });
  });
});
