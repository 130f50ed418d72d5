import { describe, expect, test } from '@jest/globals';
import type { Client } from '../../../src/db/database.ts';
import type { ListPosition } from '../../../src/loaders/lists/list-cursor.ts';
import type { ListDefinition } from '../../../src/loaders/lists/list-definition.ts';
import { listStatement } from '../../../src/loaders/lists/list-statement.ts';
import { ascending } from '../../../src/query/order-sql.ts';
import { testScope } from '../../support/scope.ts';

const list: ListDefinition = {
  name: 'tried',
  from: 'document d',
  where: 'd.repository = $1',
  ofKey: (equals) => `d.parent_id ${equals}`,
  order: [{ ...ascending('d.title', 'text'), isNullable: true }],
  tieBreak: ascending('d.id', 'uuid'),
  sortKey: (property, isAscending, { parameters }) => ({
    value: `(d.properties ->> ${parameters.add(property, 'text')})`,
    type: 'text',
    isAscending,
    isNullable: true,
  }),
  filters: { titled: (parameter) => `d.title = ${parameter}`, named: (parameter) => `d.name = ${parameter}` },
  hasReadableOnly: true,
};

const hostile = "x'; DROP TABLE document; --";
const id = '00000000-0000-4000-8000-000000000000';

const definitions: ListDefinition[] = [
  list,
  { ...list, name: 'tried-alone', hasSingleKeyStatement: true },
  { ...list, name: 'tried-uncounted', isUncounted: true },
];
const everyKeys = [null, [id], [id, hostile]];
const everyFilter: Array<Array<[string, unknown]>> = [
  [],
  [['titled', hostile]],
  [['named', hostile]],
  [
    ['titled', hostile],
    ['named', hostile],
  ],
];
const everyPosition: Array<ListPosition | undefined> = [
  undefined,
  { after: undefined, offset: 0 },
  { after: [hostile, id], offset: 7 },
  { after: [null, id], offset: 7 },
];
const everyPage = [
  { pageSize: 20, offset: 0 },
  { pageSize: 1, offset: 40, maxResults: 50, hasSharedLimit: true },
  { pageSize: 20, offset: 0, sortBy: [hostile], sortOrder: ['asc'] },
];
const everyUser = [
  { id: hostile, groups: [hostile], isAdministrator: false },
  { id: 'admin', groups: [], isAdministrator: true },
];

const scope = testScope({} as Client);
const made = definitions.flatMap((definition) =>
  everyKeys.flatMap((keys) =>
    everyFilter.flatMap((filters) =>
      everyPosition.flatMap((from) =>
        everyPage.flatMap((page) =>
          everyUser.map((user) =>
            listStatement(definition, { filters, page, ...(from && { from }) }, keys, {
              ...scope,
              user,
              now: '2024-01-01T00:00:00.000Z',
              readable: [],
            }),
          ),
        ),
      ),
    ),
  ),
);

describe('The statement of a page of a list', () => {
  test('has the same text whenever it has the same name, since the database keeps one plan for each name', () => {
    const texts = new Map<string, Set<string>>();
    for (const { statement } of made)
      texts.set(statement.name, (texts.get(statement.name) ?? new Set()).add(statement.text));
    const several = [...texts].filter(([name, known]) => name !== '' && known.size > 1);
    expect(several.map(([name]) => name)).toEqual([]);
    expect(texts.size).toBeGreaterThan(100);
  });

  test('has no name if the caller chose the order, which would result in too many prepared statements', () => {
    expect(made.filter(({ statement }) => statement.name === '')).toHaveLength(
      made.length / everyPage.length,
    );
  });

  test('contains the input of callers only as values of parameters', () => {
    expect(made.filter(({ statement }) => /DROP/.test(statement.text))).toEqual([]);
  });

  test('has exactly one value for each parameter', () => {
    for (const { statement, values } of made) {
      const numbers = [...statement.text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
      expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(values.map((_, index) => index + 1));
    }
  });

  test('cannot be composed with a filter that the list does not have', () => {
    const filters: Array<[string, unknown]> = [['odd', 1]];
    const page = { pageSize: 1, offset: 0 };
    expect(() => listStatement(list, { filters, page }, null, { ...scope, now: '', readable: [] })).toThrow(
      'The list tried has no filter odd.',
    );
  });
});
