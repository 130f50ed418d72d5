import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, findBreakingChanges, isObjectType, validateSchema } from 'graphql';
import { schema } from '../../src/schema/index.ts';
import { printedSchema } from '../../src/schema/print.ts';

describe('schema.graphql', () => {
  test('is the current output of `npm run print`', async () => {
    const file = await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8');
    expect(file).toBe(printedSchema());
  });

  test('is a valid schema and equals the schema that is served', () => {
    const read = buildSchema(printedSchema());
    expect(validateSchema(read)).toEqual([]);
    expect(findBreakingChanges(schema, read)).toEqual([]);
    expect(findBreakingChanges(read, schema)).toEqual([]);
  });
});

describe('The GraphQL schema', () => {
  test('has an object type for each entity type of documents and of the content model', () => {
    const names = ['Document', 'Documents', 'Schema', 'Schemas', 'Facet', 'Facets', 'DocType', 'DocTypes'];
    for (const name of names) expect(isObjectType(schema.getType(name))).toBe(true);
  });

  test('has only non-null root fields', () => {
    const root = [schema.getQueryType(), schema.getMutationType()];
    for (const type of root) {
      for (const field of Object.values(type?.getFields() ?? {})) expect(String(field.type)).toMatch(/!$/);
    }
  });
});
