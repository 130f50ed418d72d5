import { describe, expect, test } from '@jest/globals';
import type { FieldDefinition } from '../../../src/model/definitions.ts';
import { checkValue, Findings } from '../../../src/model/values/constraints.ts';
import type { StoredValue } from '../../../src/model/values/stored.ts';
import { propertyOf } from './properties-of.ts';

function findings(
  definition: FieldDefinition,
  value: StoredValue | undefined,
  stored?: StoredValue,
): Findings {
  const found = new Findings('en');
  checkValue(propertyOf(definition), value, found, stored);
  return found;
}

const broken = (
  definition: FieldDefinition,
  value: StoredValue | undefined,
  stored?: StoredValue,
): string[] => findings(definition, value, stored).violations.map(({ constraint }) => constraint);

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

  test('100 violations are described, and all are counted', () => {
    const texts: FieldDefinition = { type: 'string[]', constraints: { maxLength: 1 } };
    const found = findings(texts, Array(250).fill('long'));
    expect([found.violations.length, found.count]).toEqual([100, 250]);
    expect(found.violations[99]?.path).toEqual([{ field: 'p:x', index: 99 }]);
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
    for (const reference of found.references.slice(1, 2)) found.addMissing(reference);
    expect(found.violations).toMatchObject([
      { invalidValue: 'europe/France', path: [{ field: 'p:x', index: 1 }] },
    ]);
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

describe('§8 limits of the content model', () => {
  test('a text without a limit of its own has at most 100,000 characters', () => {
    expect(broken({ type: 'string' }, '😀'.repeat(100_000))).toEqual([]);
    expect(broken({ type: 'string' }, 'x'.repeat(100_001))).toEqual(['LengthConstraint']);
    expect(broken({ type: 'string', constraints: { maxLength: 100_001 } }, 'x'.repeat(100_001))).toEqual([]);
    expect(broken({ type: 'string', long: true }, 'x'.repeat(200_001))).toEqual([]);
  });

  test('a list without a limit of its own has at most 100,000 items, whose texts are limited too', () => {
    const items = Array<string>(100_001).fill('a');
    expect(broken({ type: 'string[]' }, items.slice(1))).toEqual([]);
    expect(broken({ type: 'string[]' }, items)).toEqual(['ItemCountConstraint']);
    expect(broken({ type: 'string[]', constraints: { maxItems: 1 } }, ['a', 'b'])).toEqual([
      'ItemCountConstraint',
    ]);
    expect(broken({ type: 'string[]', long: true }, items)).toEqual([]);
    expect(broken({ type: 'string[]', long: true }, ['x'.repeat(100_001)])).toEqual(['LengthConstraint']);
  });

  test('a map has at most 1,000 keys', () => {
    const map: FieldDefinition = { type: 'complex[]', fields: { key: 'string', value: 'string' } };
    const entries = Array.from({ length: 1_001 }, (_, index) => ({ key: `k${index}`, value: '' }));
    expect(broken(map, entries.slice(1))).toEqual([]);
    expect(broken(map, entries)).toEqual(['ItemCountConstraint']);
  });

  test('the texts of a blob have at most 100,000 characters each', () => {
    const blob = { name: 'a', mimeType: 'text/plain', encoding: null, digest: 'd', length: 1 };
    const name = 'x'.repeat(100_001);
    expect(broken({ type: 'blob' }, { ...blob, name: name.slice(1) })).toEqual([]);
    const { violations } = findings({ type: 'blob[]' }, [blob, { ...blob, name }]);
    expect(violations.map(({ path }) => path)).toEqual([[{ field: 'p:x', index: 1 }, { field: 'name' }]]);
  });

  test('a report shows the beginning of a long text, and no list', () => {
    const limits = { maxLength: 1_999, maxItems: 1 };
    const shown = (value: StoredValue) =>
      findings({ type: 'string[]', constraints: limits }, value).violations.map(
        ({ invalidValue }) => invalidValue,
      );
    expect(shown(['y'.repeat(2_000)])).toEqual([`${'y'.repeat(1_000)}…`]);
    expect(shown(['a', 'b'])).toEqual([undefined]);
  });

  test('a pattern does not run on a text that is too long', () => {
    const constraints = { pattern: 'a', maxLength: 1 };
    expect(broken({ type: 'string', constraints }, 'bb')).toEqual(['LengthConstraint']);
    expect(broken({ type: 'string', constraints }, 'b')).toEqual(['PatternConstraint']);
  });
});

describe('§8 a stored value that breaks a constraint', () => {
  const short: FieldDefinition = { type: 'string[]', constraints: { maxLength: 1 } };

  test('is accepted again wherever it stands in the list', () => {
    expect(broken(short, ['a', 'bb', 'bb'], ['bb'])).toEqual([]);
    expect(broken(short, ['bbb'], ['bb'])).toEqual(['LengthConstraint']);
    expect(broken(short, ['bb'], null)).toEqual(['LengthConstraint']);
  });

  test('is accepted in the same field of a complex value', () => {
    const fields = { one: { type: 'string', constraints: { maxLength: 1 } }, other: 'string' } as const;
    const lines: FieldDefinition = { type: 'complex[]', fields };
    expect(broken(lines, [{ one: 'bb', other: 'new' }], [{ one: 'bb' }])).toEqual([]);
    expect(broken(lines, [{ one: 'bb' }], [{ other: 'bb' }])).toEqual(['LengthConstraint']);
  });

  test('is accepted as a whole item that lacks a required field', () => {
    const fields = { code: { type: 'string', constraints: { required: true } }, note: 'string' } as const;
    const lines: FieldDefinition = { type: 'complex[]', fields };
    expect(broken(lines, [{ code: 'a' }, { note: 'b' }], [{ note: 'b' }])).toEqual([]);
    expect(broken(lines, [{ note: 'c' }], [{ note: 'b' }])).toEqual(['NotNullConstraint']);
  });

  test('is accepted as a whole list inside a complex value, and not longer or with another item', () => {
    const fields = { tags: { type: 'string[]', constraints: { maxItems: 1 } }, note: 'string' } as const;
    const line: FieldDefinition = { type: 'complex', fields };
    const stored = { tags: ['a', 'b'] };
    expect(broken(line, { tags: ['a', 'b'], note: 'new' }, stored)).toEqual([]);
    expect(broken(line, { tags: ['a', 'b', 'c'] }, stored)).toEqual(['ItemCountConstraint']);
    expect(broken(line, { tags: ['a', 'c'] }, stored)).toEqual(['ItemCountConstraint']);
  });

  test('is not looked up among the entries of a directory', () => {
    const subjects: FieldDefinition = {
      type: 'string[]',
      refersTo: { to: 'directory', directory: 'continents' },
    };
    const { references } = findings(subjects, ['gone', 'new'], ['gone']);
    expect(references.map(({ id }) => id)).toEqual(['new']);
  });

  test('is compared as a text, which does not equal a list that is written alike', () => {
    expect(broken(short, ['["a"]'], ['a'])).toEqual(['LengthConstraint']);
  });
});
