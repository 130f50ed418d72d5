import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { statements, useServer } from '../../support/server.ts';
import { atDirectory } from './directory-requests.ts';

/** `ordering` falls as the id rises; the last entries have none. */
const entries = Array.from({ length: 12 }, (_, index) => ({
  id: `e${String(index).padStart(2, '0')}`,
  ...(index < 9 && { ordering: 20 - index }),
}));
const inOrder = ['e08', 'e07', 'e06', 'e05', 'e04', 'e03', 'e02', 'e01', 'e00', 'e09', 'e10', 'e11'];
const many = Array.from({ length: 1_200 }, (_, index) => ({ id: `m${String(index).padStart(4, '0')}` }));

const server = useServer(
  {},
  {
    directories: [
      { name: 'few', schema: 'vocabulary', entries },
      { name: 'many', schema: 'vocabulary', entries: many },
    ],
  },
);

const page = (query: string, directory = 'few') => server.request.get(`${atDirectory(directory)}${query}`);
const idsIn = ({ body }: { body: { entries: Array<{ id: string }> } }) => body.entries.map(({ id }) => id);

describe('§2 a page of entries', () => {
  test('has exactly these fields', async () => {
    const { body } = await page('').expect(200);
    expect(body).toEqual({
      'entity-type': 'directoryEntries',
      isPaginable: true,
      resultsCount: 12,
      resultsCountLimit: 12,
      pageSize: 1000,
      maxPageSize: 1000,
      currentPageSize: 12,
      currentPageIndex: 0,
      currentPageOffset: 0,
      numberOfPages: 1,
      isPreviousPageAvailable: false,
      isNextPageAvailable: false,
      isLastPageAvailable: false,
      isSortable: false,
      hasError: false,
      errorMessage: null,
      entries: expect.any(Array),
    });
  });

  test('is empty for an empty directory', async () => {
    const { body } = await page('', 'predicates').expect(200);
    expect(body).toMatchObject({ resultsCount: 0, numberOfPages: 0, currentPageSize: 0, entries: [] });
  });

  test.each([
    [
      '?pageSize=5',
      inOrder.slice(0, 5),
      { currentPageIndex: 0, numberOfPages: 3, isNextPageAvailable: true },
    ],
    [
      '?pageSize=5&currentPageIndex=2',
      inOrder.slice(10),
      { currentPageIndex: 2, isNextPageAvailable: false },
    ],
    ['?pageSize=5&offset=3&currentPageIndex=2', inOrder.slice(3, 8), { currentPageOffset: 3 }],
    ['?pageSize=5&currentPageIndex=9', [], { resultsCount: 12, currentPageSize: 0 }],
    ['?offset=2147483647', [], { resultsCount: 12 }],
    ['?pageSize=0', inOrder, { pageSize: 0, numberOfPages: 1 }],
    ['?pageSize=5000', inOrder, { pageSize: 1000 }],
  ])('contains the expected entries for %s', async (query, ids, envelope) => {
    const response = await page(query).expect(200);
    expect(idsIn(response)).toEqual(ids);
    expect(response.body).toMatchObject(envelope);
  });

  test('is the first one for empty parameters', async () => {
    const response = await page('?pageSize=&currentPageIndex=&offset=').expect(200);
    expect(response.body).toEqual((await page('').expect(200)).body);
  });

  test.each(['pageSize', 'currentPageIndex', 'offset'])(
    'answers 400 when %s is not an integer from 0',
    async (name) => {
      for (const value of ['-3', 'x', '1.5', '%20', '-99999999999']) {
        const { body } = await page(`?${name}=${value}`).expect(400);
        expect(body.message).toContain(name);
      }
    },
  );
});

describe('§4.5 the order of entries', () => {
  test('is by ordering, then by id, across all pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 13 }), async (pageSize) => {
        const found: string[] = [];
        for (let isNext = true, index = 0; isNext; index += 1) {
          const response = await page(`?pageSize=${pageSize}&currentPageIndex=${index}`).expect(200);
          found.push(...idsIn(response));
          isNext = response.body.isNextPageAvailable;
        }
        expect(found).toEqual(inOrder);
      }),
      { numRuns: 8 },
    );
  });

  test('ignores sortBy', async () => {
    expect(idsIn(await page('?sortBy=id&sortOrder=desc').expect(200))).toEqual(inOrder);
  });
});

describe('the SQL cost of a page of entries', () => {
  test('is the same for 1000 entries, the maximum, as for 2', async () => {
    const all = await page('', 'many').expect(200);
    const two = await page('?pageSize=2', 'many').expect(200);
    const none = await page('', 'predicates').expect(200);
    expect(all.body).toMatchObject({ resultsCount: 1200, currentPageSize: 1000, isNextPageAvailable: true });
    expect(idsIn(all)).toEqual(many.slice(0, 1000).map(({ id }) => id));
    expect(statements(all)).toBe(statements(two));
    expect(statements(none)).toBe(statements(two));
    expect(statements(two)).toBeLessThanOrEqual(2);
    expect(idsIn(await page('?currentPageIndex=1', 'many'))).toHaveLength(200);
  });

  test('is at most one statement for the list of directories', async () => {
    expect(statements(await server.request.get('/api/v1/directory').expect(200))).toBeLessThanOrEqual(1);
  });
});
