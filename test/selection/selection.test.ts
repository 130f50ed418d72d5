import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  call,
  entityType,
  Field,
  Input,
  input,
  mergeSelections,
  omitIfNull,
  responseKey,
  type Selection,
} from '../../src/selection/selection.ts';

/** Selections of any depth, without arguments. */
const { selection } = fc.letrec<{ selection: Selection; node: Selection | true }>((tie) => ({
  selection: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('node'), { noNullPrototype: true }),
  node: fc.oneof({ depthSize: 'small' }, fc.constant(true as const), tie('selection')),
}));

describe('mergeSelections', () => {
  test('has the empty selection as its neutral element', () => {
    fc.assert(
      fc.property(selection, (one) => {
        expect(mergeSelections(one, {})).toEqual(one);
        expect(mergeSelections({}, one)).toEqual(one);
        expect(mergeSelections(one)).toEqual(one);
        expect(mergeSelections()).toEqual({});
      }),
    );
  });

  test('is idempotent', () => {
    fc.assert(fc.property(selection, (one) => expect(mergeSelections(one, one)).toEqual(one)));
  });

  test('is associative and commutative', () => {
    fc.assert(
      fc.property(selection, selection, selection, (one, two, three) => {
        expect(mergeSelections(mergeSelections(one, two), three)).toEqual(
          mergeSelections(one, mergeSelections(two, three)),
        );
        expect(mergeSelections(one, two, three)).toEqual(mergeSelections(mergeSelections(one, two), three));
        expect(mergeSelections(one, two)).toEqual(mergeSelections(two, one));
      }),
    );
  });

  test('combines the fields of all selections', () => {
    const one = { uid: true, inner: { a: true } } as const;
    const other = { name: true, inner: { b: { c: true } } } as const;
    expect(mergeSelections(one, other)).toEqual({
      uid: true,
      name: true,
      inner: { a: true, b: { c: true } },
    });
  });

  test('changes none of its arguments', () => {
    const one = Object.freeze({ inner: Object.freeze({ a: true as const }) });
    mergeSelections(one, { inner: { b: true } });
    expect(one).toEqual({ inner: { a: true } });
  });

  test('uses the arguments of the later field and merges the selections of both', () => {
    const one = { children: call({ pageSize: 1 }, { uid: true }) };
    const other = { children: call({ pageSize: 2 }, { name: true }) };
    expect(mergeSelections(one, other)).toEqual({
      children: call({ pageSize: 2 }, { uid: true, name: true }),
    });
    expect(mergeSelections(other, { children: true })).toEqual(other);
    expect(mergeSelections({ children: true }, other)).toEqual(other);
    expect(mergeSelections({ children: { uid: true } }, other)).toEqual({
      children: call({ pageSize: 2 }, { uid: true, name: true }),
    });
  });
});

describe('Fields of a selection', () => {
  test('entityType is the GraphQL type in lower camel case', () => {
    expect(entityType.name).toBe('__typename');
    expect(['Document', 'DocTypes', 'LogEntry'].map((name) => entityType.format?.(name))).toEqual([
      'document',
      'docTypes',
      'logEntry',
    ]);
  });

  test('omitIfNull omits null and keeps other falsy values', () => {
    expect([null, undefined, 0, '', false].map((value) => omitIfNull.format?.(value))).toEqual([
      undefined,
      undefined,
      0,
      '',
      false,
    ]);
  });

  test('input and call create an Input and a Field', () => {
    expect(input('body')).toEqual(new Input('body'));
    expect(call({ id: 1 })).toEqual(new Field({ arguments: { id: 1 } }));
  });

  test.each([
    ['entity-type', 'entity_type'],
    ['@prefix', '_prefix'],
    ['dc:title', 'dc_title'],
    ['uid', 'uid'],
  ])('responseKey turns %s into %s', (key, name) => {
    expect(responseKey(key)).toBe(name);
  });
});
