import { describe, expect, test } from '@jest/globals';
import type { FieldDefinition } from '../../../src/model/definitions.ts';
import { checkValue, type Findings } from '../../../src/model/values/constraints.ts';
import type { StoredValue } from '../../../src/model/values/stored.ts';
import { propertyOf } from './properties-of.ts';

function findings(definition: FieldDefinition, value: StoredValue | undefined): Findings {
  const found: Findings = { language: 'en', violations: [], references: [] };
  checkValue(propertyOf(definition), value, found);
  return found;
}

const broken = (definition: FieldDefinition, value: StoredValue | undefined): string[] =>
  findings(definition, value).violations.map(({ constraint }) => constraint);

describe('§7 constraints', () => {
  const text: FieldDefinition = {
    type: 'string',
    constraints: { pattern: 'a|b+', minLength: 2, maxLength: 3, enum: ['bb', 'bbb'] },
  };

  test.each([
    ['bb', []],
    ['b', ['LengthConstraint', 'EnumConstraint']],
    ['bbbb', ['LengthConstraint', 'EnumConstraint']],
    ['xx', ['PatternConstraint', 'EnumConstraint']],
    ['ab', ['PatternConstraint', 'EnumConstraint']],
    ['', ['PatternConstraint', 'LengthConstraint', 'EnumConstraint']],
    [null, []],
    [undefined, []],
  ])('the text %j violates %j', (value, names) => {
    expect(broken(text, value)).toEqual(names);
  });

  test('a length is counted in characters, not in UTF-16 units', () => {
    expect(broken({ type: 'string', constraints: { maxLength: 2 } }, '😀😀')).toEqual([]);
    expect(broken({ type: 'string', constraints: { minLength: 2 } }, '😀')).toEqual(['LengthConstraint']);
  });

  test.each([
    [{ min: 1, max: 3 }, 1, []],
    [{ min: 1, max: 3 }, 3, []],
    [{ min: 1, max: 3 }, 0, ['NumericIntervalConstraint']],
    [{ min: 1 }, 1e300, []],
    [{ max: 3 }, 3.1, ['NumericIntervalConstraint']],
  ])('the interval %j is checked for %d', (constraints, value, names) => {
    expect(broken({ type: 'double', constraints }, value)).toEqual(names);
  });

  test.each([[null], [undefined], [[]]])('%j violates NotNullConstraint', (value) => {
    const required: FieldDefinition = { type: 'string[]', constraints: { required: true } };
    expect(findings(required, value).violations).toEqual([
      {
        constraint: 'NotNullConstraint',
        parameters: {},
        message: 'This field is required.',
        invalidValue: null,
        path: [{ field: 'p:x' }],
      },
    ]);
  });

  test('false, 0 and the empty string satisfy NotNullConstraint', () => {
    const constraints = { required: true };
    expect(broken({ type: 'boolean', constraints }, false)).toEqual([]);
    expect(broken({ type: 'long', constraints }, 0)).toEqual([]);
    expect(broken({ type: 'string', constraints }, '')).toEqual([]);
  });

  test('violations have the path of the list item or sub-field', () => {
    const fields = {
      code: { type: 'string', constraints: { required: true } },
      tags: { type: 'string[]', constraints: { maxLength: 1 } },
    } as const;
    expect(
      findings({ type: 'complex[]', fields }, [{ code: 'a' }, { tags: ['b', 'long'] }]).violations.map(
        ({ path }) => path,
      ),
    ).toEqual([
      [{ field: 'p:x', index: 1 }, { field: 'code' }],
      [
        { field: 'p:x', index: 1 },
        { field: 'tags', index: 1 },
      ],
    ]);
  });

  test('a sub-field is required only if its complex value is set', () => {
    const fields = { code: { type: 'string', constraints: { required: true } } } as const;
    expect(broken({ type: 'complex', fields }, null)).toEqual([]);
    expect(broken({ type: 'complex', fields }, {})).toEqual(['NotNullConstraint']);
  });

  test('directory entries are returned as references; the last segment is the id', () => {
    const refersTo = { to: 'directory', directory: 'continents', separator: '/' } as const;
    const found = findings({ type: 'string[]', refersTo }, ['europe', 'europe/France', 'a/b/', '/c']);
    expect(found.violations).toEqual([]);
    expect(found.references.map(({ id }) => id)).toEqual(['europe', 'France', '', 'c']);
    expect(found.references[1]?.directory).toBe('continents');
    expect(found.references[1]?.violation()).toMatchObject({
      invalidValue: 'europe/France',
      path: [{ field: 'p:x', index: 1 }],
    });
  });

  test('without a separator the whole value is the id of the entry', () => {
    const refersTo = { to: 'directory', directory: 'continents' } as const;
    expect(findings({ type: 'string', refersTo }, 'a/b').references.map(({ id }) => id)).toEqual(['a/b']);
  });

  test('references to users are not checked', () => {
    expect(findings({ type: 'string', refersTo: { to: 'user' } }, 'nobody')).toMatchObject({
      violations: [],
      references: [],
    });
  });
});
