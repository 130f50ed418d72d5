import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createModel } from '../../src/model/create-model.ts';
import {
  findReferences,
  isFetched,
  listedOnceFetched,
  referenceNames,
  referredId,
} from '../../src/model/references.ts';

const place = { to: 'directory', directory: 'places', separator: '/' } as const;
const model = createModel({
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
  facets: [],
  types: [{ name: 'Document' }, { name: 'Trip', parent: 'Document', schemas: ['trip'] }],
  versioning: [],
  pageProviders: [],
  workflows: [],
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

const found = (...names: string[]) => findReferences(schemas, stored, names).map(({ at, id }) => [at, id]);

describe('§10.1 references in documents', () => {
  test('are named by the xpaths of what refers to something, and of what holds such', () => {
    expect(referenceNames(model)).toEqual([
      ...['properties', 'trip:guide', 'trip:stops', 'trip:start', 'trip:legs', 'trip:legs/*/by'],
    ]);
  });

  test('are found wherever they are', () => {
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

  test('one value is a list where the contract wants one', () => {
    expect(listedOnceFetched(schemas, ['properties'])).toEqual(['trip:start']);
    expect(listedOnceFetched(schemas, ['trip:guide'])).toEqual([]);
  });

  test('a name is that of a whole property, not of a part of its name', () => {
    expect(isFetched('dc:creator', ['dc:creato'])).toBe(false);
    expect(isFetched('a:b/*/c', ['a:b'])).toBe(true);
  });

  test('whatever stands above, the last segment is the id', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (above, last) => {
        fc.pre(!last.includes('/'));
        expect(referredId(place, [...above, last].join('/'))).toBe(last);
        expect(referredId({ to: 'user' }, [...above, last].join('/'))).toBe([...above, last].join('/'));
      }),
    );
  });

  test('whatever is stored, each path leads to the string that it was found for', () => {
    const value = fc.jsonValue() as fc.Arbitrary<never>;
    const anything = fc.record({ 'trip:guide': value, 'trip:stops': value, 'trip:legs': value });
    fc.assert(
      fc.property(anything, (properties: Record<string, never>) => {
        for (const { at, to, id } of findReferences(schemas, properties, ['properties'])) {
          let there: unknown = properties;
          for (const key of at) there = (there as Record<string | number, unknown>)[key];
          expect(referredId(to, String(there))).toBe(id);
        }
      }),
    );
  });
});
