import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  findBreakingChanges,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  validateSchema,
} from 'graphql';
import { operations } from '../../src/automation/index.ts';
import { argumentName, operationFieldName } from '../../src/automation/operation.ts';
import { withOperationRoutes } from '../../src/rest/automation/call-routes.ts';
import { entitiesOf } from '../../src/rest/entities.ts';
import { routes as table } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema/index.ts';
import { ownDescriptions } from '../../src/schema/own-descriptions.ts';
import { printedSchema } from '../../src/schema/print.ts';
import { sharedDescriptions } from '../../src/schema/shared-descriptions.ts';
import { contractForms } from '../../src/selection/compatibility.ts';
import { Field } from '../../src/selection/selection.ts';

const routes = withOperationRoutes(table);

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

  test('describes every type and every field, and nothing else', () => {
    const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    const named = new Map<string, string | null | undefined>();
    for (const type of types) {
      named.set(type.name, type.description);
      const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type);
      for (const { name, description } of hasFields ? Object.values(type.getFields()) : [])
        named.set(`${type.name}.${name}`, description);
    }
    expect([...named].filter(([, description]) => !description).map(([name]) => name)).toEqual([]);
    const unused = Object.entries(ownDescriptions).filter(([name, text]) => named.get(name) !== text);
    expect(unused).toEqual([]);
    const texts = new Set([...named].map(([name, text]) => `${name.split('.')[1]} ${text}`));
    expect(Object.entries(sharedDescriptions).filter((entry) => !texts.has(entry.join(' ')))).toEqual([]);
  });

  test('has a field for each route of REST and for each operation', () => {
    const roots = [schema.getQueryType(), schema.getMutationType()];
    const fields = new Set(roots.flatMap((type) => Object.keys(type?.getFields() ?? {})));
    const shape = { depth: 1, properties: undefined, enrichers: {}, fetch: {}, translate: {} };
    const entities = entitiesOf(shape, contractForms);
    for (const { select } of routes)
      for (const [key, node] of Object.entries(select(entities)))
        expect(fields).toContain(node instanceof Field ? (node.name ?? key) : key);
    for (const operation of operations) {
      const field = roots.map((type) => type?.getFields()[operationFieldName(operation)]).find(Boolean);
      const given = field?.args.map(({ name }) => name) ?? [];
      expect(given).toEqual(expect.arrayContaining(Object.keys(operation.params).map(argumentName)));
      expect(given.includes('input')).toBe(operation.takes.some((kind) => kind !== 'void'));
    }
  });

  test('has only non-null mutations', () => {
    for (const field of Object.values(schema.getMutationType()?.getFields() ?? {}))
      expect(String(field.type)).toMatch(/!$/);
  });
});
