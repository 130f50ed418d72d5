import { describe, expect, test } from '@jest/globals';
import { buildSchema, execute, print, validate } from 'graphql';
import { toOperation } from '../../src/selection/operation.ts';
import { call, entityType, Field, input, type Selection } from '../../src/selection/selection.ts';

const schema = buildSchema(`
  input Place { id: ID, path: String, names: [String!] }
  type Query { at(place: Place!): Document, document(id: ID, path: String): Document, both(id: ID!, other: ID): Document, number: Int }
  type Mutation { remove(id: ID!): ID }
  interface Named { name: String }
  type Document implements Named { uid: ID!, name: String, children(pageSize: Int, sortBy: [String!]): [Document!]!, kin: Named }
`);

const printed = (selection: Selection, kind: 'query' | 'mutation' = 'query'): string => {
  const { document } = toOperation(schema, kind, selection);
  expect(validate(schema, document)).toEqual([]);
  return print(document).replaceAll(/\s+/g, ' ');
};

describe('toOperation', () => {
  test('compiles fields, sub-fields and aliases', () => {
    expect(
      printed({ document: { uid: true, 'entity-type': entityType, title: new Field({ name: 'name' }) } }),
    ).toBe('{ document { uid entity_type: __typename title: name } }');
  });

  test('takes argument types from the schema and turns values into variables', () => {
    const selection = {
      document: call({ id: input('id') }, { children: call({ pageSize: 5, sortBy: ['a'] }, { uid: true }) }),
    };
    expect(printed(selection)).toBe(
      'query ($id: ID, $constant0: Int, $constant1: [String!]) { document(id: $id) { children(pageSize: $constant0, sortBy: $constant1) { uid } } }',
    );
    const { constants, inputs } = toOperation(schema, 'query', selection);
    expect(constants).toEqual({ constant0: 5, constant1: ['a'] });
    expect([...inputs].map(([name, type]) => [name, String(type)])).toEqual([['id', 'ID']]);
  });

  test('turns an input inside a value into a variable of the type in that position', () => {
    const selection = {
      at: call({ place: { id: input('body.of.id'), path: '/a' } }, { uid: true }),
      document: call({ id: input('id') }, { uid: true }),
    };
    expect(printed(selection)).toBe(
      'query ($body_of_id: ID, $constant0: String, $id: ID) { at(place: {id: $body_of_id, path: $constant0}) { uid } document(id: $id) { uid } }',
    );
    const { inputs, constants } = toOperation(schema, 'query', selection);
    expect([...inputs.keys()]).toEqual(['body.of.id', 'id']);
    expect(constants).toEqual({ constant0: '/a' });
  });

  test('turns a value without inputs into one variable', () => {
    const selection = { at: call({ place: { path: '/a' } }, { uid: true }) };
    expect(printed(selection)).toBe('query ($constant0: Place!) { at(place: $constant0) { uid } }');
  });

  test('never inserts a value into the text', () => {
    const text = '") { __schema { types { name } } } #';
    expect(printed({ document: call({ path: text }, { uid: true }) })).not.toContain('__schema');
  });

  test('compiles operations that can be executed', async () => {
    const { document, constants } = toOperation(schema, 'query', {
      document: call({ id: '1' }, { uid: true }),
    });
    const rootValue = { document: ({ id }: { id: string }) => ({ uid: `the ${id}` }) };
    const { data, errors } = await execute({ schema, document, rootValue, variableValues: constants });
    expect([errors, JSON.parse(JSON.stringify(data))]).toEqual([undefined, { document: { uid: 'the 1' } }]);
  });

  test('compiles mutations', () => {
    expect(printed({ remove: call({ id: input('id') }) }, 'mutation')).toBe(
      'mutation ($id: ID!) { remove(id: $id) }',
    );
  });

  test('uses one variable for an input in two positions of the same type', () => {
    const twice = {
      document: call({ id: input('id') }, { uid: true }),
      again: new Field({ name: 'document', arguments: { id: input('id') }, of: { uid: true } }),
    };
    expect(printed(twice)).toBe(
      'query ($id: ID) { document(id: $id) { uid } again: document(id: $id) { uid } }',
    );
    expect(() =>
      toOperation(schema, 'query', { both: call({ id: input('x'), other: input('x') }, { uid: true }) }),
    ).toThrow('used both as ID! and as ID');
  });

  test('compiles fields of interfaces', () => {
    expect(printed({ document: { kin: { name: true } } })).toBe('{ document { kin { name } } }');
  });

  test.each([
    ['an unknown field', { document: { nosuch: true } }, 'Document has no field nosuch'],
    [
      'an unknown argument',
      { document: call({ nosuch: 1 }, { uid: true }) },
      'document has no argument nosuch',
    ],
    [
      'an unknown field of a value',
      { at: call({ place: { nosuch: input('x') } }, { uid: true }) },
      'Place has no field nosuch',
    ],
    ['fields of a scalar', { number: { uid: true } }, 'Int has no fields'],
    ['an unknown root field', { nosuch: true }, 'Query has no field nosuch'],
    ['a mutation as a query', { remove: call({ id: 1 }) }, 'Query has no field remove'],
  ] as Array<[string, Selection, string]>)('throws on %s', (_, selection, message) => {
    expect(() => toOperation(schema, 'query', selection)).toThrow(message);
  });
});
