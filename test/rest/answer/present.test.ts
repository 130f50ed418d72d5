import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NestedEntities } from '../../../src/rest/answer/nested-entities.ts';
import { presenter as compiled } from '../../../src/rest/answer/present.ts';
import {
  call,
  entityType,
  Field,
  omitIfNull,
  replaceAtPath,
  responseKey,
  type Selection,
} from '../../../src/selection/selection.ts';

/** Options of the presenter without nested documents. */
const presenter = (selection: Selection) => {
  const present = compiled(selection);
  return (value: unknown) => present(value, new NestedEntities());
};

describe('presenter', () => {
  test('returns the selected fields with their names and in their order', () => {
    const selection: Selection = { 'entity-type': entityType, uid: true, 'dc:title': true };
    const shown = presenter(selection)({ dc_title: 'T', uid: '1', entity_type: 'Document', more: 1 });
    expect(shown).toEqual({ 'entity-type': 'document', uid: '1', 'dc:title': 'T' });
    expect(Object.keys(shown as object)).toEqual(['entity-type', 'uid', 'dc:title']);
  });

  test('formats nested objects and lists', () => {
    const selection: Selection = { entries: call({ pageSize: 2 }, { '@type': true }), one: { 'a-b': true } };
    const data = { entries: [{ _type: 'x' }, { _type: 'y' }], one: { a_b: 1 } };
    expect(presenter(selection)(data)).toEqual({
      entries: [{ '@type': 'x' }, { '@type': 'y' }],
      one: { 'a-b': 1 },
    });
  });

  test('preserves null for objects and lists', () => {
    expect(presenter({ one: { a: true }, many: { b: true } })({ one: null, many: [null] })).toEqual({
      one: null,
      many: [null],
    });
  });

  test('omits the fields that their format omits', () => {
    expect(presenter({ a: omitIfNull, b: omitIfNull })({ a: null, b: 0 })).toEqual({ b: 0 });
    const nonEmpty = new Field({
      of: { a: true },
      format: (list) => ((list as []).length ? list : undefined),
    });
    expect(presenter({ list: nonEmpty })({ list: [] })).toEqual({});
    expect(presenter({ list: nonEmpty })({ list: [{ a: 1 }] })).toEqual({ list: [{ a: 1 }] });
  });

  test('has null for a nested entity beyond the limit, and cuts a list of them', () => {
    const nested = new Field({ of: { uid: true }, nested: 'document' });
    const present = compiled({ one: nested, two: nested, list: nested });
    const [one, two] = [{ uid: '1' }, { uid: '2' }];
    expect(present({ one, two, list: [one, two] }, new NestedEntities(19_999))).toEqual({
      one: {},
      two: null,
      list: [],
    });
  });

  test('replaces an id by its entity, and keeps an id without an entity', () => {
    const selection: Selection = {
      properties: true,
      'properties.a': new Field({ of: { id: true }, ...replaceAtPath('properties', 'a') }),
    };
    const properties = Object.freeze({ a: '1', b: '2' });
    const shown = (found: unknown) => presenter(selection)({ properties, properties_a: found });
    expect(shown({ id: '1' })).toEqual({ properties: { a: { id: '1' }, b: '2' } });
    expect(shown(null)).toEqual({ properties });
    expect(presenter(selection)({ properties: null, properties_a: { id: '1' } })).toEqual({
      properties: null,
    });
  });

  test('passes leaf values unchanged, including JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(presenter({ properties: true })({ properties: value })).toEqual({ properties: value });
        expect(presenter({ properties: call({ schemas: [] }) })({ properties: value })).toEqual({
          properties: value,
        });
      }),
    );
  });

  test('returns every selected name unchanged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer(), (name, value) => {
        fc.pre(name !== '__proto__');
        expect(presenter({ [name]: true })({ [responseKey(name)]: value })).toEqual({ [name]: value });
      }),
    );
  });
});
