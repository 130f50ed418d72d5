import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Faults } from '../../../src/errors.ts';
import type { FieldDefinition, ScalarType } from '../../../src/model/definitions.ts';
import type { Property } from '../../../src/model/model.ts';
import { type PendingBlob, readValue } from '../../../src/model/values/read-value.ts';
import { type RenderBlob, renderProperties, renderValue } from '../../../src/model/values/render-value.ts';
import type { StoredValue } from '../../../src/model/values/stored.ts';
import { propertyOf, schemaOf } from './properties-of.ts';

const showBlob: RenderBlob = (blob, xpath) => ({ ...blob, data: xpath });

describe('§2.1 values in answers', () => {
  test('unset scalars are null and unset lists are empty', () => {
    const schema = schemaOf({
      text: 'string',
      count: 'long',
      day: 'date',
      file: 'blob',
      part: { type: 'complex', fields: { a: 'string' } },
      texts: 'string[]',
      files: 'blob[]',
      parts: { type: 'complex[]', fields: { a: 'string' } },
    });
    expect(renderProperties([schema], {}, showBlob)).toStrictEqual({
      'p:text': null,
      'p:count': null,
      'p:day': null,
      'p:file': null,
      'p:part': null,
      'p:texts': [],
      'p:files': [],
      'p:parts': [],
    });
  });

  test('empty strings, 0 and false are rendered unchanged', () => {
    expect(renderValue(propertyOf('string'), '', 'p:x', showBlob)).toBe('');
    expect(renderValue(propertyOf('long'), 0, 'p:x', showBlob)).toBe(0);
    expect(renderValue(propertyOf('boolean'), false, 'p:x', showBlob)).toBe(false);
  });

  test('a complex value has all its fields, without prefix', () => {
    const property = propertyOf({
      type: 'complex',
      fields: { a: 'string', constructor: 'long' as const, c: 'date[]' },
    });
    expect(renderValue(property, { a: 'x' }, 'p:x', showBlob)).toStrictEqual({
      a: 'x',
      constructor: null,
      c: [],
    });
  });

  test('a property outside of the schemas is omitted', () => {
    expect(renderProperties([schemaOf({ a: 'string' })], { 'p:b': 'x', 'p:a': 'y' }, showBlob)).toStrictEqual(
      {
        'p:a': 'y',
      },
    );
  });

  test('a blob is rendered with its xpath, in lists and complex values as well', () => {
    const property = propertyOf({ type: 'complex[]', fields: { file: 'blob' } });
    const blob = { name: 'a', mimeType: 'text/plain', encoding: null, digest: 'd', length: 1 };
    expect(renderValue(property, [{ file: blob }], 'p:x', showBlob)).toEqual([
      { file: { ...blob, data: 'p:x/0/file' } },
    ]);
  });
});

/** Field definitions of any type, with lists and complex values inside complex values. */
const { definition } = fc.letrec<{ definition: FieldDefinition }>((tie) => ({
  definition: fc.oneof(
    { depthSize: 'small' },
    fc
      .tuple(
        fc.constantFrom<ScalarType>('string', 'long', 'double', 'boolean', 'date', 'binary', 'blob'),
        fc.boolean(),
      )
      .map(([type, many]): FieldDefinition => ({ type: many ? `${type}[]` : type })),
    fc
      .tuple(
        fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'toString'), tie('definition'), {
          minKeys: 1,
        }),
        fc.boolean(),
      )
      .map(([fields, many]): FieldDefinition => ({ type: many ? 'complex[]' : 'complex', fields })),
  ),
}));

const blobJson = fc.record({
  name: fc.option(fc.string()),
  'mime-type': fc.constant('text/plain'),
  encoding: fc.constant(null),
  digest: fc.string(),
  length: fc.nat().map(String),
});

/** The years of valid dates. */
const years = { min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };

/** JSON that a body may hold for one value of a property. */
function jsonOf(property: Property): fc.Arbitrary<unknown> {
  const one = (): fc.Arbitrary<unknown> => {
    switch (property.type) {
      case 'long':
        return fc.maxSafeInteger();
      case 'double':
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'boolean':
        return fc.boolean();
      case 'date':
        return fc.date(years).map((date) => date.toISOString());
      case 'blob':
        return blobJson;
      case 'complex': {
        const fields = [...property.fields].map(([name, field]) => [name, jsonOf(field)]);
        return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
      }
      case 'string':
      case 'binary':
        return fc.string({ unit: 'binary' });
    }
  };
  return property.many ? fc.option(fc.array(one(), { maxLength: 3 })) : fc.option(one());
}

const sample = definition.chain((given) => {
  const property = propertyOf(given);
  return jsonOf(property).map((json) => ({ property, json }));
});

/** The value that a write stores: read from JSON, with its blobs set. */
function stored(property: Property, json: unknown): StoredValue {
  const holder: { value: StoredValue } = { value: null };
  const pending: PendingBlob[] = [];
  const put = (value: StoredValue) => {
    holder.value = value;
  };
  const faults = new Faults();
  readValue(property, json, put, { pending: { blobs: pending, entries: [] }, faults });
  faults.requireNone();
  for (const { json: blob, put: putBlob } of pending) {
    const { data: _, ...rest } = blob;
    putBlob(rest as StoredValue);
  }
  return JSON.parse(JSON.stringify(holder.value));
}

describe('§2.1 a rendered value sent back in an update', () => {
  test('is read as the stored value, for any property', () => {
    fc.assert(
      fc.property(sample, ({ property, json }) => {
        const before = stored(property, json);
        const shown = renderValue(property, before, property.xpath, showBlob);
        expect(isDeepStrictEqual(stored(property, shown), before)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
