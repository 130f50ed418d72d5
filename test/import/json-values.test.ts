import { expect, test } from '@jest/globals';
import { maxJsonFields, setJsonValuesLimit } from '../../src/model/values/json-budget.ts';
import { folderLine, useLineImports } from './line-imports.ts';

const limit = 200;
const { server, importing } = useLineImports({ JSON_VALUES_LIMIT: String(limit) });

/** A line of a folder with a number of values, all but four of them in a field that is ignored. */
const lineOf = (values: number) => {
  const { path, line } = folderLine();
  return { path, line: { ...line, contextParameters: Array.from({ length: values - 4 }, () => 0) } };
};

test('a line of an import can hold as many JSON values as a body', async () => {
  const { path, line } = lineOf(200);
  expect(await importing([line])).toMatchObject({ created: 1, fault: undefined });
  await server.request.get(`/api/v1/path${path}`).expect(200);
});

test('a line with one value more ends the import with its number and the limit', async () => {
  const { path, line } = lineOf(201);
  expect(await importing([folderLine().line, line])).toMatchObject({
    created: 0,
    fault: 'line 2: it has more than 200 JSON values (JSON_VALUES_LIMIT)',
  });
  await server.request.get(`/api/v1/path${path}`).expect(404);
});

test('a line that is nested more than a hundred levels deep ends the import', async () => {
  const nested = (levels: number) => ({
    ...folderLine().line,
    contextParameters: JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`),
  });
  expect(await importing([nested(99)])).toMatchObject({ created: 1, fault: undefined });
  expect((await importing([nested(100)])).fault).toBe('line 1: it is nested more than 100 levels deep');
});

test('a line with an object of more than 10,000 fields ends the import', async () => {
  const wide = (fields: number) => ({
    ...folderLine().line,
    contextParameters: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field${index}`, 0])),
  });
  setJsonValuesLimit(2 * maxJsonFields);
  try {
    expect(await importing([wide(maxJsonFields)])).toMatchObject({ created: 1, fault: undefined });
    expect((await importing([wide(maxJsonFields + 1)])).fault).toBe(
      'line 1: it has an object with more than 10000 fields',
    );
  } finally {
    setJsonValuesLimit(limit);
  }
});
