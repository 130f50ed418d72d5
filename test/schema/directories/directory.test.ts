import { describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';

const words = Array.from({ length: 25 }, (_, index) => ({
  id: `w${String(index).padStart(2, '0')}`,
  label: index % 2 ? 'odd' : 'even',
  parent: `w${String(index % 3).padStart(2, '0')}`,
  ordering: Math.floor(index / 5),
}));

const server = useServer(
  {},
  {
    schemas: [{ name: 'locked', fields: { id: 'string', pin: 'string', tags: 'string[]' } }],
    directories: [
      { name: 'words', schema: 'xvocabulary', parent: 'words', entries: words },
      {
        name: 'locked',
        schema: 'locked',
        secrets: ['pin'],
        entries: [{ id: 'a', pin: '1234', tags: ['x', 'y'] }],
      },
    ],
  },
);

const post = (query: string, variables: Record<string, unknown> = {}) =>
  server.request.post('/graphql').send({ query, variables });

async function ask(query: string, variables: Record<string, unknown> = {}) {
  const { body } = await post(query, variables);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

async function errorOf(query: string, variables: Record<string, unknown> = {}) {
  const { body } = await post(query, variables);
  return { code: body.errors?.[0]?.extensions.code, message: body.errors?.[0]?.message };
}

const stretch = `query ($name: String!, $first: Int, $after: String, $filter: JSON) {
  directory(name: $name) {
    entries(first: $first, after: $after, filter: $filter) { total endCursor hasNextPage entries { id } }
  }
}`;

interface Stretch {
  entries: Array<{ id: string }>;
  endCursor: string | null;
  hasNextPage: boolean;
}

/** All entries of a directory, read in pages of `first` entries. */
async function readAll(first: number, filter?: object): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  for (let hasNext = true; hasNext; ) {
    const data: { directory: { entries: Stretch } } = await ask(stretch, {
      name: 'words',
      first,
      after,
      filter,
    });
    const { entries, endCursor, hasNextPage } = data.directory.entries;
    found.push(...entries.map(({ id }) => id));
    [after, hasNext] = [endCursor, hasNextPage];
  }
  return found;
}

describe('/graphql directory.entries', () => {
  test.each([1, 4, 5, 24, 25, 26, 1000])('returns all entries in order in pages of %i', async (first) => {
    expect(await readAll(first)).toEqual(words.map(({ id }) => id));
  });

  test('applies a filter to the entries and to the total', async () => {
    const odd = words.filter(({ label }) => label === 'odd').map(({ id }) => id);
    expect(await readAll(3, { label: 'odd' })).toEqual(odd);
    const both = { label: 'odd', ordering: 1 };
    const { entries } = (await ask(stretch, { name: 'words', filter: both })).directory;
    expect(entries).toMatchObject({
      total: 3,
      hasNextPage: false,
      entries: [{ id: 'w05' }, { id: 'w07' }, { id: 'w09' }],
    });
  });

  test('finds entries whose list contains all items of the filter', async () => {
    const total = async (tags: string[]) =>
      (await ask(stretch, { name: 'locked', filter: { tags } })).directory.entries.total;
    expect([await total(['y']), await total(['y', 'x']), await total(['y', 'z'])]).toEqual([1, 1, 0]);
  });

  test.each([
    ['an unknown field', { name: 'words', filter: { colour: 'red' } }, 'colour'],
    ['the id', { name: 'words', filter: { id: 'w01' } }, 'id'],
    ['a value of another type', { name: 'words', filter: { ordering: '1' } }, 'ordering'],
    ['no value', { name: 'words', filter: { label: null } }, 'label'],
    ['a secret', { name: 'locked', filter: { pin: '1234' } }, 'pin'],
    ['no object', { name: 'words', filter: ['label'] }, 'filter'],
    ['none at a time', { name: 'words', first: 0 }, 'first'],
    ['less than none', { name: 'words', first: -1 }, 'first'],
    ['a cursor that is none', { name: 'words', after: 'w01' }, 'after'],
    ['a cursor of something else', { name: 'words', after: btoa('["a","b"]') }, 'after'],
    ['a cursor with a NUL', { name: 'words', after: btoa('[1,"\\u0000"]') }, 'after'],
  ])('is INVALID with %s', async (_, variables, said) => {
    expect(await errorOf(stretch, variables)).toEqual({
      code: 'INVALID',
      message: expect.stringContaining(said),
    });
  });

  test('continues after a cursor whose entry was deleted', async () => {
    const first = (await ask(stretch, { name: 'words', first: 7 })).directory.entries;
    await ask('mutation { deleteDirectoryEntry(directory: "words", id: "w06") }');
    const { entries } = (await ask(stretch, { name: 'words', first: 2, after: first.endCursor })).directory
      .entries;
    expect(entries).toEqual([{ id: 'w07' }, { id: 'w08' }]);
    const w06 = { id: 'w06', label: 'even', parent: 'w00', ordering: 1 };
    const query =
      'mutation ($e: NewDirectoryEntry!) { createDirectoryEntry(directory: "words", entry: $e) { id } }';
    expect(await ask(query, { e: { properties: w06 } })).toEqual({ createDirectoryEntry: { id: 'w06' } });
  });

  test('costs the same for any number of entries, directories and parents', async () => {
    const cost = async (query: string) => statements(await post(query).expect(200));
    const withParents = (first: number) =>
      `{ directory(name: "words") { entries(first: ${first}) { entries { id parent { id parent { id } } } } } }`;
    expect(await cost(withParents(25))).toBe(await cost(withParents(1)));
    const some = (names: string[]) =>
      `{ ${names.map((name) => `${name}: directory(name: "${name}") { page(pageSize: 3) { entries { id } } }`).join(' ')} }`;
    const all = '{ directories { entries { name page(pageSize: 3) { resultsCount entries { id } } } } }';
    // The three directories with tables of their own cost seven statements together, all others one.
    expect(await cost(all)).toBe((await cost(some(['words']))) + 7);
    expect(await cost(some(['words', 'nature', 'country', 'topic']))).toBe(await cost(some(['words'])));
  });

  test('refuses expensive queries', async () => {
    const page =
      'page(pageSize: 1000) { entries { id properties parent { parent { parent { id properties } } } } }';
    const query = `{ ${Array.from({ length: 40 }, (_, at) => `d${at}: directory(name: "words") { ${page} }`).join(' ')} }`;
    expect((await errorOf(query)).message).toContain('too expensive');
  });
});

describe('/graphql directoryEntry', () => {
  test('returns an entry with its parent, with labels translated by Accept-Language', async () => {
    const query = `{ directoryEntry(directory: "country", id: "Germany") {
      directoryName id properties(translate: ["label"]) parent { id properties(translate: ["label"]) parent { id } }
    } }`;
    const { body } = await post(query).set('Accept-Language', 'fr');
    expect(body.data.directoryEntry).toMatchObject({
      directoryName: 'country',
      id: 'Germany',
      properties: { label: 'Allemagne', parent: 'europe' },
      parent: { id: 'europe', properties: { label: 'Europe' }, parent: null },
    });
  });

  const make = (directory: string, entry: string) =>
    `mutation { createDirectoryEntry(directory: "${directory}", entry: ${entry}) { id } }`;

  test.each([
    ['INVALID', '{ directoryEntry(directory: "userDirectory", id: "Administrator") { id } }'],
    ['INVALID', '{ directory(name: "userDirectory") { entries { total } } }'],
    ['INVALID', make('words', '{properties: {label: "no id"}}')],
    ['INVALID', make('words', '{properties: "text"}')],
    ['INVALID', make('words', '{directoryName: "nature", properties: {id: "a"}}')],
    ['BAD_REFERENCE', make('words', '{directoryName: "nosuch", properties: {id: "a"}}')],
    ['BAD_REFERENCE', make('words', '{properties: {id: "w01"}}')],
    ['UNPROCESSABLE', make('words', '{properties: {id: "a", parent: "nosuch"}}')],
    ['NOT_FOUND', make('nosuch', '{properties: {id: "a"}}')],
    ['CONFLICT', 'mutation { deleteDirectoryEntry(directory: "words", id: "w01") }'],
    ['NOT_FOUND', 'mutation { updateDirectoryEntry(directory: "words", id: "x", entry: {id: "x"}) { id } }'],
    [
      'BAD_REFERENCE',
      'mutation { updateDirectoryEntry(directory: "words", id: "w01", entry: {id: "nosuch"}) { id } }',
    ],
  ])('returns the code %s for %s', async (code, query) => {
    expect((await errorOf(query)).code).toBe(code);
  });

  test.each([
    '{ absent: directory(name: "nosuch") { name } }',
    '{ absent: directoryEntry(directory: "nosuch", id: "a") { id } }',
    '{ absent: directoryEntry(directory: "words", id: "nosuch") { id } }',
    '{ absent: directoryEntry(directory: "words", id: "a\\u0000") { id } }',
    `{ absent: directoryEntry(directory: "words", id: "${'x'.repeat(10_000)}") { id } }`,
  ])('returns null for %s', async (query) => {
    expect((await post(query)).body.data).toEqual({ absent: null });
  });

  test('writes of one request are committed together or not at all', async () => {
    const two = `mutation {
      a: createDirectoryEntry(directory: "words", entry: {properties: {id: "both"}}) { id }
      b: createDirectoryEntry(directory: "words", entry: {properties: {id: "w01"}}) { id }
    }`;
    expect((await errorOf(two)).code).toBe('BAD_REFERENCE');
    const { body } = await post('{ directoryEntry(directory: "words", id: "both") { id } }');
    expect(body.data).toEqual({ directoryEntry: null });
  });
});
