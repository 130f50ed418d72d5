import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelDefinition } from '../../../src/model/definitions.ts';
import { modelCheck, modelFiles, modelUses } from '../../../web/src/graphql/operations.ts';
import { createDocument } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const contribution: Partial<ModelDefinition> = {
  schemas: [
    {
      name: 'invoice',
      prefix: 'inv',
      fields: { number: 'string', amount: { type: 'double', constraints: { min: 0 } }, note: 'string' },
    },
  ],
  facets: [{ name: 'Payable', schemas: ['invoice'] }],
  types: [{ name: 'Invoice', parent: 'File', facets: ['Payable'] }],
};

const server = useServer({}, contribution);

interface Check {
  readonly faults: ReadonlyArray<{
    readonly file: string | null;
    readonly location: string;
    readonly line: number | null;
    readonly fault: string;
  }>;
  readonly changes: ReadonlyArray<{
    readonly kind: string;
    readonly name: string;
    readonly change: string;
    readonly differences: ReadonlyArray<{ name: string; before: string | null; after: string | null }>;
    readonly documents: number | null;
    readonly isMinimum: boolean;
  }>;
}

const fileName = 'test.json';

const check = async (text: string, name = fileName): Promise<Check> =>
  (await askGraphql<{ modelCheck: Check }>(server.request, modelCheck.text, { file: { name, text } }))
    .modelCheck;

beforeAll(async () => {
  await createUser(server, 'ann');
  for (const properties of [{ 'inv:note': 'a' }, { 'inv:note': 'b', 'inv:amount': 3 }, {}])
    await createDocument(server, { type: 'Invoice', properties });
  await createDocument(server, { type: 'Note' });
  // A search waits until the index contains the documents.
  await server.request.get('/api/v1/search/execute').query({ query: 'SELECT * FROM Document' }).expect(200);
});

describe('modelFiles', () => {
  test('returns the files in MODEL_DIR to administrators only', async () => {
    const query = 'query ($name: String) { modelFiles(name: $name) { name size text } }';
    const { modelFiles: files } = await askGraphql<{
      modelFiles: Array<{ name: string; size: number; text: string }>;
    }>(server.request, query);
    expect(files.map(({ name }) => name)).toEqual([fileName]);
    expect(JSON.parse(files[0]?.text ?? '')).toEqual(contribution);
    expect(files[0]?.size).toBe(Buffer.byteLength(files[0]?.text ?? ''));
    expect(await askGraphql(server.request, query, { name: '../secrets' })).toEqual({ modelFiles: [] });
    await expect(askGraphql(as(server, 'ann'), modelFiles.text)).rejects.toThrow('Only administrators can');
  });
});

describe('modelUses', () => {
  test('counts the documents of types, facets and schemas, with a number of statements that does not depend on them', async () => {
    const {
      modelUses: { isEstimate, uses },
    } = await askGraphql<{
      modelUses: { isEstimate: boolean; uses: Array<{ kind: string; name: string; documents: number }> };
    }>(server.request, modelUses.text);
    expect(isEstimate).toBe(false);
    expect(uses).toEqual(
      expect.arrayContaining([
        { kind: 'type', name: 'Invoice', documents: 3 },
        { kind: 'type', name: 'Note', documents: 1 },
        { kind: 'facet', name: 'Payable', documents: 3 },
        { kind: 'schema', name: 'invoice', documents: 3 },
      ]),
    );
    await expect(askGraphql(as(server, 'ann'), modelUses.text)).rejects.toThrow('Only administrators can');
  });
});

describe('modelCheck', () => {
  const [invoice] = contribution.schemas ?? [];

  test('returns no changes for the file as it is', async () => {
    expect(await check(JSON.stringify(contribution))).toEqual({ faults: [], changes: [] });
  });

  test('returns what changes, and how many documents that concerns', async () => {
    const changed = {
      ...contribution,
      schemas: [
        {
          ...invoice,
          fields: { number: 'string', amount: { type: 'long', constraints: { min: 1 } }, due: 'date' },
        },
        { name: 'extra', fields: {} },
      ],
      types: [
        { name: 'Invoice', parent: 'File', facets: ['Payable'], schemas: ['extra'] },
        { name: 'Receipt', parent: 'Invoice' },
      ],
    };
    const { faults, changes } = await check(JSON.stringify(changed));
    expect(faults).toEqual([]);
    expect(changes.map(({ kind, name, change, documents }) => [kind, name, change, documents])).toEqual([
      ['type', 'Invoice', 'changed', 3],
      ['type', 'Receipt', 'added', null],
      ['schema', 'extra', 'added', null],
      ['field', 'inv:amount', 'changed', 1],
      ['field', 'inv:note', 'removed', 2],
      ['field', 'inv:due', 'added', null],
    ]);
    expect(changes.find(({ name }) => name === 'inv:amount')?.differences).toEqual([
      { name: 'type', before: 'double', after: 'long' },
      { name: 'min', before: '0', after: '1' },
    ]);
    expect(changes.every(({ isMinimum }) => !isMinimum)).toBe(true);
  });

  test('counts the documents of a removed type, facet and schema', async () => {
    const { changes } = await check('{}');
    expect(changes.map(({ kind, name, change, documents }) => [kind, name, change, documents])).toEqual([
      ['type', 'Invoice', 'removed', 3],
      ['facet', 'Payable', 'removed', 3],
      ['schema', 'invoice', 'removed', 2],
      ['field', 'inv:number', 'removed', 0],
      ['field', 'inv:amount', 'removed', 1],
      ['field', 'inv:note', 'removed', 2],
    ]);
  });

  test('adds a file of another name to the others, and does not store it', async () => {
    const added = { types: [{ name: 'Receipt', parent: 'Invoice' }] };
    const { changes } = await check(JSON.stringify(added), 'receipt.json');
    expect(changes.map(({ name, change }) => [name, change])).toEqual([['Receipt', 'added']]);
    const { changes: again } = await check(JSON.stringify(contribution));
    expect(again).toEqual([]);
  });

  test.each([
    [
      'a text that is not JSON',
      '{\n  "types": [\n    {"name": "Invoice",}\n  ]\n}',
      { location: '', line: 3, fault: expect.stringContaining('cannot be read as JSON') },
    ],
    [
      'a field of the wrong form',
      '{\n  "schemas": [\n    {\n      "name": "invoice",\n      "fields": {\n        "a": "strin"\n      }\n    }\n  ]\n}',
      { location: 'schemas[0].fields.a', line: 6, fault: '"strin" is not a field type' },
    ],
    [
      'a name that does not exist',
      '{\n  "types": [\n    {\n      "name": "Invoice",\n      "parent": "Documnt"\n    }\n  ]\n}',
      { location: 'types.Invoice.parent', line: 5, fault: expect.stringContaining('Documnt') },
    ],
    [
      'a query that cannot be read',
      '{\n  "pageProviders": [\n    {"name": "all",\n     "query": "SELECT"}\n  ]\n}',
      { location: expect.stringContaining('pageProviders.all'), line: expect.any(Number) },
    ],
  ])('names the place of %s', async (_, text, fault) => {
    const { faults, changes } = await check(text);
    expect(faults).toContainEqual(expect.objectContaining({ file: fileName, ...fault }));
    expect(changes).toEqual([]);
  });

  test('rejects names that are not those of JSON files, and other users', async () => {
    await expect(check('{}', '../model.json')).rejects.toThrow('is not the name of a JSON file');
    const file = { name: 'model.json', text: '{}' };
    await expect(askGraphql(as(server, 'ann'), modelCheck.text, { file })).rejects.toThrow(
      'Only administrators can',
    );
  });

  test('sends the same number of statements for any number of changes', async () => {
    const sent = async (text: string) =>
      statements(
        await server.request
          .post('/graphql')
          .send({ query: modelCheck.text, variables: { file: { name: fileName, text } } })
          .expect(200),
      );
    const few = { ...contribution, types: [{ name: 'Invoice', parent: 'Note', facets: ['Payable'] }] };
    expect(await sent('{}')).toBe(await sent(JSON.stringify(few)));
  });
});
