import { describe, expect, test } from '@jest/globals';
import { topLevelProperty, valueAt } from '../../../src/model/values/value-location.ts';
import { schemaOf } from './properties-of.ts';

const schemas = [
  schemaOf({
    title: 'string',
    title2: 'string',
    texts: 'string[]',
    part: { type: 'complex', fields: { file: 'blob', inner: { type: 'complex', fields: { a: 'long' } } } },
    parts: { type: 'complex[]', fields: { file: 'blob', files: 'blob[]' } },
  }),
];
const file = { name: 'a', mimeType: 'text/plain', encoding: null, digest: 'd', length: 1 };
const stored = {
  'p:title': 'A',
  'p:texts': ['x', 'y'],
  'p:part': { file, inner: { a: 7 } },
  'p:parts': [{}, { file, files: [file] }],
};

describe('§2.1 xpaths', () => {
  test.each([
    ['p:title', 'A'],
    ['p:texts', ['x', 'y']],
    ['p:texts/1', 'y'],
    ['p:part/file', file],
    ['p:part/inner/a', 7],
    ['p:parts/1/file', file],
    ['p:parts/1/files/0', file],
    ['p:parts/01/file', file],
  ])('%s locates the stored value', (xpath, value) => {
    expect(valueAt(schemas, stored, xpath)?.value).toEqual(value);
  });

  test.each(['p:title2', 'p:texts/2', 'p:parts/0/file', 'p:parts/9/file', 'p:parts/0/files/3'])(
    '%s locates an unset value',
    (xpath) => {
      expect(valueAt(schemas, stored, xpath)).toEqual({ property: expect.anything(), value: undefined });
    },
  );

  test.each([
    '',
    'title',
    'p',
    'p:',
    ':title',
    'x:title',
    'p:none',
    'p:title/0',
    'p:title/a',
    'p:part/none',
    'p:part/0',
    'p:texts/x',
    'p:texts/-1',
    'p:texts/',
    'p:parts/file',
    'p:parts/*/file',
    'p:texts/1/0',
    'p:part/constructor',
    'p:part/inner/toString',
    'p:constructor',
    'p:parts/1e0/file',
    '/p:title',
    'p:texts/9999999999',
  ])('%j locates no property', (xpath) => {
    expect(valueAt(schemas, stored, xpath)).toBeUndefined();
  });

  test.each(['pitle', 'px', 'title'])('an xpath without a colon locates no property: %s', (xpath) => {
    expect(
      topLevelProperty([schemaOf({ pitle: 'string', px: 'string', title: 'string' })], xpath),
    ).toBeUndefined();
  });
});
