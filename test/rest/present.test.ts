import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Inside } from '../../src/rest/inside.ts';
import { presenter as compiled } from '../../src/rest/present.ts';
import {
  call,
  entityType,
  Field,
  inPlaceOf,
  responseKey,
  type Selection,
  whenSet,
} from '../../src/selection.ts';

/** What spells answers without documents inside. */
const presenter = (selection: Selection) => {
  const present = compiled(selection);
  return (value: unknown) => present(value, new Inside());
};

describe('presenter', () => {
  test('shows what was selected, under its names and in its order', () => {
    const selection: Selection = { 'entity-type': entityType, uid: true, 'dc:title': true };
    const shown = presenter(selection)({ dc_title: 'T', uid: '1', entity_type: 'Document', more: 1 });
    expect(shown).toEqual({ 'entity-type': 'document', uid: '1', 'dc:title': 'T' });
    expect(Object.keys(shown as object)).toEqual(['entity-type', 'uid', 'dc:title']);
  });

  test('goes into objects and lists', () => {
    const selection: Selection = { entries: call({ pageSize: 2 }, { '@type': true }), one: { 'a-b': true } };
    const data = { entries: [{ _type: 'x' }, { _type: 'y' }], one: { a_b: 1 } };
    expect(presenter(selection)(data)).toEqual({
      entries: [{ '@type': 'x' }, { '@type': 'y' }],
      one: { 'a-b': 1 },
    });
  });

  test('keeps null where an object or a list may be', () => {
    expect(presenter({ one: { a: true }, many: { b: true } })({ one: null, many: [null] })).toEqual({
      one: null,
      many: [null],
    });
  });

  test('leaves out what its field says', () => {
    expect(presenter({ a: whenSet, b: whenSet })({ a: null, b: 0 })).toEqual({ b: 0 });
    const nonEmpty = new Field({ of: { a: true }, show: (list) => ((list as []).length ? list : undefined) });
    expect(presenter({ list: nonEmpty })({ list: [] })).toEqual({});
    expect(presenter({ list: nonEmpty })({ list: [{ a: 1 }] })).toEqual({ list: [{ a: 1 }] });
  });

  test('puts an entity where its id stands, and leaves an id that leads to nothing', () => {
    const selection: Selection = {
      properties: true,
      'properties.a': new Field({ of: { id: true }, ...inPlaceOf('properties', 'a') }),
    };
    const properties = Object.freeze({ a: '1', b: '2' });
    const shown = (found: unknown) => presenter(selection)({ properties, properties_a: found });
    expect(shown({ id: '1' })).toEqual({ properties: { a: { id: '1' }, b: '2' } });
    expect(shown(null)).toEqual({ properties });
    expect(presenter(selection)({ properties: null, properties_a: { id: '1' } })).toEqual({
      properties: null,
    });
  });

  test('passes leaves on as they are, JSON included', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(presenter({ properties: true })({ properties: value })).toEqual({ properties: value });
        expect(presenter({ properties: call({ schemas: [] }) })({ properties: value })).toEqual({
          properties: value,
        });
      }),
    );
  });

  test('every name is shown as it was asked for', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer(), (name, value) => {
        fc.pre(name !== '__proto__');
        expect(presenter({ [name]: true })({ [responseKey(name)]: value })).toEqual({ [name]: value });
      }),
    );
  });
});
