import { describe, expect, test } from '@jest/globals';
import { createModel } from '../../src/model/create-model.ts';
import { showFields, showTypes } from '../../src/model/introspection.ts';
import { schemaOf } from './properties-of.ts';

describe('§4.6 how the model shows itself', () => {
  test('fields by their types', () => {
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
    expect(showFields(schema)).toEqual({
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

  test('types and schemas by name, inherited parts included', () => {
    const model = createModel({
      schemas: [
        { name: 'plain', fields: { a: 'string' } },
        { name: 'prefixed', prefix: 'pre', fields: { b: 'long' } },
      ],
      facets: [{ name: 'Marked', schemas: ['prefixed'] }],
      types: [
        { name: 'Base', schemas: ['plain'] },
        { name: 'Leaf', parent: 'Base', facets: ['Marked'] },
      ],
      directories: [],
      versioning: [],
      pageProviders: [],
      workflows: [],
    });
    expect(showTypes(model)).toEqual({
      doctypes: {
        Base: { parent: 'None!!!', facets: [], schemas: ['plain'] },
        Leaf: { parent: 'Base', facets: ['Marked'], schemas: ['plain', 'prefixed'] },
      },
      schemas: { plain: { a: 'string' }, prefixed: { '@prefix': 'pre', b: 'long' } },
    });
  });
});
