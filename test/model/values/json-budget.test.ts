import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Invalid, TooLarge } from '../../../src/errors.ts';
import {
  JsonBudget,
  maxJsonDepth,
  maxJsonFields,
  parseJson,
  parseJsonOrNothing,
  setJsonValuesLimit,
} from '../../../src/model/values/json-budget.ts';

/** The number of values, counted after parsing. */
const valuesIn = (json: unknown): number =>
  typeof json === 'object' && json !== null
    ? Object.values(json).reduce((sum: number, inner) => sum + valuesIn(inner), 1)
    : 1;

/** Whether a text is within a limit of values. */
function fits(text: string, values: number): boolean {
  setJsonValuesLimit(values);
  try {
    new JsonBudget().spendJson(text, 'it');
    return true;
  } catch (error) {
    if (error instanceof TooLarge) return false;
    throw error;
  } finally {
    setJsonValuesLimit(100_000);
  }
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('a budget for JSON', () => {
  test('counts exactly the values of any JSON, with blanks or without', () => {
    const string = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '}', ':', 'é', '😀', '\n', 'a') });
    const json = fc.oneof(
      fc.json({ stringUnit: 'binary' }),
      fc.jsonValue().map((value) => JSON.stringify(value, null, '\t')),
      fc.array(fc.dictionary(string, string)).map((value) => JSON.stringify(value, null, 1)),
    );
    fc.assert(
      fc.property(json, (text) => {
        const values = valuesIn(JSON.parse(text));
        expect([fits(text, values), fits(text, values - 1)]).toEqual([true, false]);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([1, 2, 3, 9, 70_000, 131_070, 131_071, 131_072, 300_000])(
    'counts exactly the values of a long text, with strings of %s characters',
    (length) => {
      const item = { text: 'x"\\\n'.repeat(length / 4) + 'y'.repeat(length % 4), list: [1, null, []] };
      const json = Array.from({ length: Math.ceil(400_000 / (length + 20)) }, () => item);
      const text = JSON.stringify(json, null, 1);
      expect([fits(text, valuesIn(json)), fits(text, valuesIn(json) - 1)]).toEqual([true, false]);
    },
  );

  test.each([
    ['"a"', 1],
    ['[]', 1],
    [' [ ] ', 1],
    ['{}', 1],
    ['[1]', 2],
    ['[[],{},""]', 4],
    ['{"a":{"b":[1,2]}}', 5],
    ['["\\"",","]', 3],
    ['["\\\\",","]', 3],
    ['["\\\\\\"",","]', 3],
  ])('counts %s as %d', (text, values) => {
    expect([fits(text, values), fits(text, values - 1)]).toEqual([true, false]);
  });

  test.each(['', ',', ',,,', ']]', '"', '"\\', '[1', '{"a', 'a,b,c', '1,2,3', '[1]]1,2,3', '{]'])(
    'leaves %j to JSON.parse, which refuses it',
    (text) => {
      expect(fits(text, 2)).toBe(true);
      expect(() => parseJson(text, 'it')).toThrow(Invalid);
      expect(parseJsonOrNothing(text, 'it')).toBeUndefined();
    },
  );

  test('ends at the limit, whatever follows', () => {
    expect(fits('[1,1,1,1 this is not JSON', 3)).toBe(false);
  });

  test('takes a hundred levels of nesting and no more', () => {
    expect(parseJson(nested(maxJsonDepth), 'it')).toBeInstanceOf(Array);
    expect(() => parseJson(nested(maxJsonDepth + 1), 'it')).toThrow(
      new TooLarge('it is nested more than 100 levels deep'),
    );
  });

  test('takes objects of 10,000 fields and no more, however many objects there are', () => {
    const fields = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"a:${index}" : 1`).join(',')}}`;
    expect(parseJson(`[${fields(maxJsonFields)}, ${fields(maxJsonFields)}]`, 'it')).toHaveLength(2);
    expect(parseJson(`{"a": ${fields(maxJsonFields - 1)}, "b": 2}`, 'it')).toHaveProperty('b', 2);
    const fault = new TooLarge('it has an object with more than 10000 fields');
    expect(() => parseJson(fields(maxJsonFields + 1), 'it')).toThrow(fault);
    expect(() => parseJsonOrNothing(`[{"a": ${fields(maxJsonFields + 1)}}]`, 'it')).toThrow(fault);
  });

  test('is shared by all that is read within it', () => {
    setJsonValuesLimit(6);
    const budget = new JsonBudget();
    budget.spendItems('a,b', ',', 'it');
    budget.spendItems('a\nb', '\n', 'it');
    expect(parseJson('[1]', 'it', budget)).toEqual([1]);
    expect(() => parseJson('1', 'it', budget)).toThrow('it has more than 6 JSON values (JSON_VALUES_LIMIT)');
    expect(() => budget.spendItems('', ',', 'it')).toThrow('it has more than 6 items (JSON_VALUES_LIMIT)');
    setJsonValuesLimit(100_000);
  });
});
