import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  findReferences,
  isFetched,
  referencedId,
  referenceNames,
  xpathsFetchedAsList,
} from '../../../src/model/values/references.ts';
import { modelOf } from '../model-of.ts';

const place = { to: 'directory', directory: 'places', separator: '/' } as const;
const model = modelOf({
  schemas: [
    { name: 'vocabulary', fields: { id: 'string', label: 'string' } },
    {
      name: 'trip',
      fields: {
        title: 'string',
        guide: { type: 'string', refersTo: { to: 'user' } },
        stops: { type: 'string[]', refersTo: place },
        start: { type: 'string', refersTo: { ...place, isListed: true } },
        legs: {
          type: 'complex[]',
          fields: { name: 'string', by: { type: 'string', refersTo: { to: 'document' } } },
        },
        plan: { type: 'complex', fields: { notes: 'string' } },
      },
    },
  ],
  types: [{ name: 'Document' }, { name: 'Trip', parent: 'Document', schemas: ['trip'] }],
  directories: [{ name: 'places', schema: 'vocabulary' }],
});
const schemas = model.schemasOf('Trip', []);

const stored = {
  'trip:title': 'A trip',
  'trip:guide': 'ann',
  'trip:stops': ['europe/Rome', 'Oslo'],
  'trip:start': 'europe/Paris',
  'trip:legs': [{ name: 'one' }, { name: 'two', by: 'some-id' }],
  'trip:plan': { notes: 'ann' },
};

const found = (...names: string[]) =>
  findReferences(schemas, stored, names).map(({ path, id }) => [path, id]);

describe('§10.1 references in documents', () => {
  test('can be fetched by the xpaths of references and of what contains references', () => {
    expect(referenceNames(model)).toEqual([
      'properties',
      'trip:guide',
      'trip:stops',
      'trip:start',
      'trip:legs',
      'trip:legs/*/by',
    ]);
  });

  test('are found in lists and complex values', () => {
    expect(found('properties')).toEqual([
      [['trip:guide'], 'ann'],
      [['trip:stops', 0], 'Rome'],
      [['trip:stops', 1], 'Oslo'],
      [['trip:start', 0], 'Paris'],
      [['trip:legs', 1, 'by'], 'some-id'],
    ]);
    expect(found('trip:guide')).toEqual([[['trip:guide'], 'ann']]);
    for (const name of ['trip:legs', 'trip:legs/*/by'])
      expect(found(name)).toEqual([[['trip:legs', 1, 'by'], 'some-id']]);
    expect(found('trip:title', 'trip', 'trip:guid', 'trip:legs/*', '')).toEqual(found('trip:legs'));
    expect(found()).toEqual([]);
  });

  test('a single value is fetched as a list if its reference is listed', () => {
    expect(xpathsFetchedAsList(schemas, ['properties'])).toEqual(['trip:start']);
    expect(xpathsFetchedAsList(schemas, ['trip:guide'])).toEqual([]);
  });

  test('a fetch name matches whole properties only', () => {
    expect(isFetched('dc:creator', ['dc:creato'])).toBe(false);
    expect(isFetched('a:b/*/c', ['a:b'])).toBe(true);
  });

  test('the last segment of a value with a separator is the id', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (above, last) => {
        fc.pre(!last.includes('/'));
        expect(referencedId(place, [...above, last].join('/'))).toBe(last);
        expect(referencedId({ to: 'user' }, [...above, last].join('/'))).toBe([...above, last].join('/'));
      }),
    );
  });

  test('the path of a reference leads to its value, whatever is stored', () => {
    const value = fc.jsonValue() as fc.Arbitrary<never>;
    const anything = fc.record({ 'trip:guide': value, 'trip:stops': value, 'trip:legs': value });
    fc.assert(
      fc.property(anything, (properties: Record<string, never>) => {
        for (const { path, target, id } of findReferences(schemas, properties, ['properties'])) {
          let there: unknown = properties;
          for (const key of path) there = (there as Record<string | number, unknown>)[key];
          expect(referencedId(target, String(there))).toBe(id);
        }
      }),
    );
  });
});
