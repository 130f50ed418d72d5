import { describe, expect, test } from '@jest/globals';
import { Faults } from '../../../src/errors.ts';
import type { FieldDefinition, FieldType } from '../../../src/model/definitions.ts';
import { forEachBlob, type PendingBlob, readValue } from '../../../src/model/values/read-value.ts';
import type { StoredValue } from '../../../src/model/values/stored.ts';
import { propertyOf } from './properties-of.ts';

function read(
  definition: FieldDefinition | FieldType,
  json: unknown,
  pending: PendingBlob[] = [],
): StoredValue {
  let stored: StoredValue = 'nothing was put';
  const put = (value: StoredValue) => {
    stored = value;
  };
  const faults = new Faults();
  readValue(propertyOf(definition), json, put, { pending: { blobs: pending, entries: [] }, faults });
  faults.requireNone();
  return stored;
}

const address: FieldDefinition = {
  type: 'complex',
  fields: { street: 'string', constructor: 'string' as const, since: 'date', tags: 'string[]', scan: 'blob' },
};

describe('§2.1 values in bodies', () => {
  test.each<[FieldType, unknown, StoredValue]>([
    ['string', '', ''],
    ['string', 'a\nb', 'a\nb'],
    ['binary', 'x', 'x'],
    ['boolean', false, false],
    ['long', 12, 12],
    ['long', 1.0, 1],
    ['long', -0, 0],
    ['long', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['double', 1, 1],
    ['double', -0, 0],
    ['double', 5e-324, 5e-324],
    ['double', 1.7976931348623157e308, 1.7976931348623157e308],
    ['date', '2024-03-01', '2024-03-01T00:00:00.000Z'],
    ['date', '', null],
    ['boolean', '', null],
    ['long', '', null],
    ['double', '', null],
    ['date[]', '', []],
    ['long[]', [1, '', 2], [1, 2]],
    ['string[]', ['b', 'a', 'b'], ['b', 'a', 'b']],
    ['long[]', [], []],
    ['boolean[]', [true, false], [true, false]],
  ])('a %s accepts %j', (type, json, stored) => {
    expect(read(type, json)).toStrictEqual(stored);
  });

  test.each<[FieldType, unknown]>([
    ['string', 1],
    ['string', true],
    ['string', {}],
    ['string', ['a']],
    ['binary', 1],
    ['boolean', 'true'],
    ['boolean', 0],
    ['long', '1'],
    ['long', 1.5],
    ['long', 2 ** 53],
    ['long', Number.POSITIVE_INFINITY],
    ['long', Number.NaN],
    ['double', '1'],
    ['double', Number.POSITIVE_INFINITY],
    ['date', 0],
    ['date', true],
    ['blob', 'text'],
    ['blob', []],
    ['complex', 'text'],
    ['complex', []],
    ['string[]', 'a'],
    ['string[]', { 0: 'a' }],
    ['string[]', ['a', 1]],
    ['string[]', ['a', null]],
    ['long[]', [1, '2']],
    ['blob[]', [null]],
    ['complex[]', [1]],
  ])('a %s refuses %j', (type, json) => {
    const fields = { a: 'string' } as const;
    const definition = type.startsWith('complex') ? { type, fields } : type;
    expect(() => read(definition, json)).toThrow(
      /^Unable to deserialize property: p:x(\/\d)?: expected .+, got /,
    );
  });

  test.each(['string', 'long', 'double', 'boolean', 'date', 'blob', 'binary'] as const)(
    'null unsets a %s',
    (type) => {
      expect(read(type, null)).toBeNull();
      expect(read(`${type}[]`, null)).toEqual([]);
    },
  );

  test('an error names the xpath, list items and sub-fields included', () => {
    const definition: FieldDefinition = {
      type: 'complex[]',
      fields: { a: { type: 'complex', fields: { b: 'long' } } },
    };
    expect(() => read(definition, [{}, { a: { b: 'x' } }])).toThrow(
      /p:x\/1\/a\/b: expected an integer, got a string/,
    );
    expect(() => read(definition, [{ c: 1 }])).toThrow('p:x/0 has no field "c"');
  });

  test('unset sub-fields are not stored', () => {
    expect(read(address, { street: null, tags: [], scan: null })).toStrictEqual({});
    expect(read(address, { street: 'A', since: null })).toStrictEqual({ street: 'A' });
  });

  test.each(['toString', 'hasOwnProperty', 'prototype'])(
    '%s, inherited by every object, is refused as an unknown field',
    (name) => {
      expect(() => read(address, { [name]: 'x' })).toThrow(`p:x has no field "${name}"`);
    },
  );

  test('a field may be called constructor', () => {
    expect(read(address, { constructor: 'Ada' })).toStrictEqual({ constructor: 'Ada' });
  });
});

describe('§2.1 referenced values sent back as entities', () => {
  const user: FieldDefinition = { type: 'string', refersTo: { to: 'user' } };
  const users: FieldDefinition = { type: 'string[]', refersTo: { to: 'user' } };
  const document: FieldDefinition = { type: 'string', refersTo: { to: 'document' } };
  const to = { to: 'directory', directory: 'continents' } as const;
  const place: FieldDefinition = { type: 'string', refersTo: to };
  const coverage: FieldDefinition = { type: 'string', refersTo: { ...to, isListed: true } };

  test('are read as their ids', () => {
    expect(read(user, { 'entity-type': 'user', id: 'ada', properties: { username: 'x' } })).toBe('ada');
    expect(read(place, { 'entity-type': 'directoryEntry', directoryName: 'continents', id: 'a' })).toBe('a');
    expect(read(document, { 'entity-type': 'document', uid: 'u', id: 'no' })).toBe('u');
    expect(read(place, { 'entity-type': 'directoryEntry', id: 'a' })).toBe('a');
    expect(read(users, [{ 'entity-type': 'user', id: 'ada' }, 'bob'])).toEqual(['ada', 'bob']);
  });

  test('a list of at most one item is accepted for a single value that is fetched as one', () => {
    expect(read(coverage, [{ 'entity-type': 'directoryEntry', directoryName: 'continents', id: 'a' }])).toBe(
      'a',
    );
    expect(read(coverage, ['a'])).toBe('a');
    expect(read(coverage, [])).toBeNull();
    expect(() => read(coverage, ['a', 'b'])).toThrow(/p:x: expected a string, got a list/);
    for (const list of [[], ['ada']])
      expect(() => read(user, list)).toThrow(/p:x: expected a string, got a list/);
  });

  test.each([
    { id: 'ada' },
    { 'entity-type': 'user' },
    { 'entity-type': 'user', id: 1 },
    { 'entity-type': 1, id: 'a' },
    { 'entity-type': 'group', id: 'members' },
    { 'entity-type': 'directoryEntry', directoryName: 'nature', id: 'ada' },
  ])('%j is refused', (json) => {
    expect(() => read(user, json)).toThrow(/p:x: expected a string/);
  });

  test('an entity is refused for a property that is no reference', () => {
    expect(() => read('string', { 'entity-type': 'user', id: 'ada' })).toThrow(
      /expected a string, got an object/,
    );
  });
});

describe('§2.1 blobs in bodies', () => {
  const stored = { name: 'a', mimeType: 'text/plain', encoding: null, digest: 'd', length: 1 };

  test('are returned as pending with their xpaths, and set later', () => {
    const pending: PendingBlob[] = [];
    const value = read(address, { scan: { content: 'x' }, street: 'A' }, pending);
    expect(value).toStrictEqual({ street: 'A' });
    expect(pending.map(({ xpath, json }) => [xpath, json])).toEqual([['p:x/scan', { content: 'x' }]]);
    pending[0]?.put(stored);
    expect(value).toStrictEqual({ street: 'A', scan: stored });
  });

  test('keep their order in lists, whatever the order in which they are set', () => {
    const pending: PendingBlob[] = [];
    const value = read('blob[]', [{ content: 'a' }, { content: 'b' }], pending);
    pending[1]?.put({ ...stored, name: 'b' });
    pending[0]?.put(stored);
    expect(value).toEqual([stored, { ...stored, name: 'b' }]);
    expect(pending.map(({ xpath }) => xpath)).toEqual(['p:x/0', 'p:x/1']);
  });

  test('are found at their xpaths', () => {
    const property = propertyOf({ type: 'complex[]', fields: { a: address, b: 'blob[]' } });
    const found: string[] = [];
    forEachBlob(property, [{}, { a: { scan: stored }, b: [stored, stored] }], (xpath) => found.push(xpath));
    expect(found).toEqual(['p:x/1/a/scan', 'p:x/1/b/0', 'p:x/1/b/1']);
  });
});
