import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Schema } from '../../src/model/model.ts';
import { modelOf } from './model-of.ts';

const namesOf = (schemas: readonly Schema[] | undefined): string[] => (schemas ?? []).map(({ name }) => name);

describe('a model', () => {
  const model = modelOf({
    schemas: [
      {
        name: 'invoice',
        prefix: 'inv',
        fields: {
          number: { type: 'string', constraints: { pattern: 'I\\d+' }, default: 'I0' },
          lines: {
            type: 'complex[]',
            fields: { amount: 'double', parts: { type: 'complex', fields: { a: 'blob' } } },
          },
        },
      },
      { name: 'plain', fields: { words: 'string[]' } },
      { name: 'extra', fields: { x: 'long' } },
      { name: 'more', fields: { y: 'long' } },
    ],
    facets: [
      { name: 'Plain', schemas: ['plain'] },
      { name: 'Extra', schemas: ['extra', 'plain'] },
      { name: 'More', schemas: ['more'] },
      { name: 'Bare' },
    ],
    types: [
      { name: 'Invoice', parent: 'Base', schemas: ['invoice'], facets: ['Bare', 'Plain'] },
      { name: 'Base', facets: ['Plain'], subtypes: ['Invoice'] },
      { name: 'Leaf', parent: 'Base', subtypes: [] },
    ],
  });

  test('keeps types in the order of their definitions', () => {
    expect([...model.types.keys()]).toEqual(['Invoice', 'Base', 'Leaf']);
  });

  test('inherits schemas, facets and subtypes', () => {
    const invoice = model.types.get('Invoice');
    expect(namesOf(invoice?.schemas)).toEqual(['plain', 'invoice']);
    expect(invoice?.facets).toEqual(['Plain', 'Bare']);
    expect(invoice?.subtypes).toEqual(['Invoice']);
    expect(model.types.get('Leaf')?.subtypes).toEqual([]);
  });

  test('gives sub-fields xpaths below that of their field', () => {
    const lines = model.property('inv:lines');
    expect(lines).toMatchObject({ name: 'lines', type: 'complex', many: true });
    expect(lines?.fields.get('amount')?.xpath).toBe('inv:lines/*/amount');
    expect(lines?.fields.get('parts')?.fields.get('a')?.xpath).toBe('inv:lines/*/parts/a');
    expect(model.property('inv:lines/*/amount')).toBeUndefined();
  });

  test('uses the name of a schema as its prefix by default', () => {
    expect(model.schemas.get('plain')).toMatchObject({ prefix: 'plain', declaredPrefix: undefined });
    expect(model.property('plain:words')).toMatchObject({ type: 'string', many: true, constraints: {} });
    expect(model.property('inv:number')?.default).toBe('I0');
  });

  test('adds the schemas of facets to those of a type', () => {
    expect(model.schemasOf('Base', [])).toBe(model.types.get('Base')?.schemas);
    expect(model.schemasOf('Base', ['Plain', 'Bare', 'Unknown'])).toBe(model.types.get('Base')?.schemas);
    expect(namesOf(model.schemasOf('Base', ['Extra']))).toEqual(['plain', 'extra']);
    expect(model.schemasOf('Base', ['Extra'])).toBe(model.schemasOf('Base', ['Bare', 'Extra', 'Extra']));
    expect(model.schemasOf('Unknown', ['Extra'])).toEqual([]);
  });

  test('finds the same schemas whatever the order and number of facets', () => {
    const facets = fc.array(fc.constantFrom('Plain', 'Extra', 'More', 'Bare', 'Unknown'));
    const types = fc.constantFrom('Invoice', 'Base', 'Leaf');
    fc.assert(
      fc.property(types, facets, (type, names) => {
        const own = namesOf(model.types.get(type)?.schemas);
        const added = names.flatMap((name) => namesOf(model.facets.get(name)?.schemas));
        const schemas = namesOf(model.schemasOf(type, names));
        expect(schemas.length).toBe(new Set(schemas).size);
        expect(new Set(schemas)).toEqual(new Set([...own, ...added]));
        expect(model.schemasOf(type, [...names].reverse())).toBe(model.schemasOf(type, names));
      }),
    );
  });
});
