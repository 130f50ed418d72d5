import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, findBreakingChanges, isObjectType, validateSchema } from 'graphql';
import { schema } from '../../src/schema/index.ts';
import { printedSchema } from '../../src/schema/print.ts';

describe('schema.graphql', () => {
  test('is what `npm run print` writes of the code', async () => {
    const file = await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8');
    expect(file).toBe(printedSchema());
  });

  test('is a schema, and the one that is served', () => {
    const read = buildSchema(printedSchema());
    expect(validateSchema(read)).toEqual([]);
    expect(findBreakingChanges(schema, read)).toEqual([]);
    expect(findBreakingChanges(read, schema)).toEqual([]);
  });
});

describe('the GraphQL schema', () => {
  test('names an entity type of the contract by every type that REST shows', () => {
    const names = ['Document', 'Documents', 'Schema', 'Schemas', 'Facet', 'Facets', 'DocType', 'DocTypes'];
    for (const name of names) expect(isObjectType(schema.getType(name))).toBe(true);
  });

  test('has no field that is null unless it says so', () => {
    const root = [schema.getQueryType(), schema.getMutationType()];
    for (const type of root) {
      for (const field of Object.values(type?.getFields() ?? {})) expect(String(field.type)).toMatch(/!$/);
    }
  });
});
