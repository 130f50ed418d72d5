import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  call,
  entityType,
  Field,
  Input,
  input,
  merge,
  responseKey,
  type Selection,
  whenSet,
} from '../src/selection.ts';

/** Selections of any depth, without arguments. */
const { selection } = fc.letrec<{ selection: Selection; node: Selection | true }>((tie) => ({
  selection: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('node'), { noNullPrototype: true }),
  node: fc.oneof({ depthSize: 'small' }, fc.constant(true as const), tie('selection')),
}));

describe('merge', () => {
  test('nothing changes nothing', () => {
    fc.assert(
      fc.property(selection, (one) => {
        expect(merge(one, {})).toEqual(one);
        expect(merge({}, one)).toEqual(one);
        expect(merge(one)).toEqual(one);
        expect(merge()).toEqual({});
      }),
    );
  });

  test('the same twice is the same once', () => {
    fc.assert(fc.property(selection, (one) => expect(merge(one, one)).toEqual(one)));
  });

  test('it does not matter how selections are grouped, or which comes first', () => {
    fc.assert(
      fc.property(selection, selection, selection, (one, two, three) => {
        expect(merge(merge(one, two), three)).toEqual(merge(one, merge(two, three)));
        expect(merge(one, two, three)).toEqual(merge(merge(one, two), three));
        expect(merge(one, two)).toEqual(merge(two, one));
      }),
    );
  });

  test('asks for everything that any of them asks for', () => {
    const one = { uid: true, inner: { a: true } } as const;
    const other = { name: true, inner: { b: { c: true } } } as const;
    expect(merge(one, other)).toEqual({ uid: true, name: true, inner: { a: true, b: { c: true } } });
  });

  test('changes none of them', () => {
    const one = Object.freeze({ inner: Object.freeze({ a: true as const }) });
    merge(one, { inner: { b: true } });
    expect(one).toEqual({ inner: { a: true } });
  });

  test('of two fields with arguments the later ones count, and both selections', () => {
    const one = { children: call({ pageSize: 1 }, { uid: true }) };
    const other = { children: call({ pageSize: 2 }, { name: true }) };
    expect(merge(one, other)).toEqual({ children: call({ pageSize: 2 }, { uid: true, name: true }) });
    expect(merge(other, { children: true })).toEqual(other);
    expect(merge({ children: true }, other)).toEqual(other);
    expect(merge({ children: { uid: true } }, other)).toEqual({
      children: call({ pageSize: 2 }, { uid: true, name: true }),
    });
  });
});

describe('fields', () => {
  test('the entity type is the GraphQL type in lower camel case', () => {
    expect(entityType.name).toBe('__typename');
    expect(['Document', 'DocTypes', 'LogEntry'].map((name) => entityType.show?.(name))).toEqual([
      'document',
      'docTypes',
      'logEntry',
    ]);
  });

  test('whenSet leaves null out and keeps what is merely falsy', () => {
    expect([null, undefined, 0, '', false].map((value) => whenSet.show?.(value))).toEqual([
      undefined,
      undefined,
      0,
      '',
      false,
    ]);
  });

  test('input and call are what they are given', () => {
    expect(input('body')).toEqual(new Input('body'));
    expect(call({ id: 1 })).toEqual(new Field({ arguments: { id: 1 } }));
  });

  test.each([
    ['entity-type', 'entity_type'],
    ['@prefix', '_prefix'],
    ['dc:title', 'dc_title'],
    ['uid', 'uid'],
  ])('%s is %s in the response', (key, name) => {
    expect(responseKey(key)).toBe(name);
  });
});
