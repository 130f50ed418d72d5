import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DocumentEntity, namesIn } from '../../../support/documents.ts';
import { statements, useServer } from '../../../support/server.ts';
import { children, createFolder, numbered } from './children-requests.ts';

const server = useServer();
let folder: DocumentEntity;
const names = numbered(7);
beforeAll(async () => {
  folder = await createFolder(server, names);
});

/** The fields of a page without its entries. */
const envelope = (body: Record<string, unknown>) => ({ ...body, entries: undefined });

describe('§2 the page fields', () => {
  test('a page with all children has exactly these fields', async () => {
    const { body } = await children(server, folder).expect(200);
    expect(body).toEqual({
      'entity-type': 'documents',
      isPaginable: true,
      resultsCount: 7,
      resultsCountLimit: 7,
      pageSize: 50,
      maxPageSize: 1000,
      currentPageSize: 7,
      currentPageIndex: 0,
      currentPageOffset: 0,
      numberOfPages: 1,
      isPreviousPageAvailable: false,
      isNextPageAvailable: false,
      isLastPageAvailable: false,
      isSortable: true,
      hasError: false,
      errorMessage: null,
      totalSize: 7,
      pageIndex: 0,
      pageCount: 1,
      entries: expect.any(Array),
    });
  });

  test('a page in the middle has a previous and a next page', async () => {
    const response = await children(server, folder, '?pageSize=3&currentPageIndex=1').expect(200);
    expect(namesIn(response)).toEqual(['c03', 'c04', 'c05']);
    expect(response.body).toMatchObject({
      resultsCount: 7,
      resultsCountLimit: 7,
      pageSize: 3,
      currentPageSize: 3,
      currentPageIndex: 1,
      currentPageOffset: 3,
      numberOfPages: 3,
      isPreviousPageAvailable: true,
      isNextPageAvailable: true,
      isLastPageAvailable: true,
      totalSize: 7,
      pageIndex: 1,
      pageCount: 3,
    });
  });

  test('the last page has no next page', async () => {
    const response = await children(server, folder, '?pageSize=3&currentPageIndex=2').expect(200);
    expect(namesIn(response)).toEqual(['c06']);
    expect(response.body).toMatchObject({
      currentPageSize: 1,
      currentPageOffset: 6,
      isPreviousPageAvailable: true,
      isNextPageAvailable: false,
      isLastPageAvailable: false,
    });
  });

  test('a page beyond the end has no entries, but the same resultsCount', async () => {
    const response = await children(server, folder, '?pageSize=3&currentPageIndex=9').expect(200);
    expect(response.body).toMatchObject({
      entries: [],
      resultsCount: 7,
      currentPageSize: 0,
      currentPageIndex: 9,
      currentPageOffset: 27,
      numberOfPages: 3,
      isPreviousPageAvailable: true,
      isNextPageAvailable: false,
    });
  });

  test('the page of an empty folder counts 0 results', async () => {
    const { body } = await children(server, await createFolder(server)).expect(200);
    expect(body).toMatchObject({
      entries: [],
      resultsCount: 0,
      totalSize: 0,
      numberOfPages: 0,
      currentPageSize: 0,
      isNextPageAvailable: false,
      isPreviousPageAvailable: false,
    });
  });
});

describe('§2 the page parameters', () => {
  test('offset is absolute and overrides currentPageIndex', async () => {
    const response = await children(server, folder, '?pageSize=3&offset=2&currentPageIndex=2').expect(200);
    expect(namesIn(response)).toEqual(['c02', 'c03', 'c04']);
    expect(response.body).toMatchObject({ currentPageOffset: 2, currentPageIndex: 0 });
  });

  test('offset 0 overrides currentPageIndex, too', async () => {
    const response = await children(server, folder, '?pageSize=3&offset=0&currentPageIndex=2').expect(200);
    expect(namesIn(response)).toEqual(['c00', 'c01', 'c02']);
  });

  test('an offset beyond the end returns no entries', async () => {
    const { body } = await children(server, folder, '?offset=2147483647').expect(200);
    expect(body).toMatchObject({ entries: [], resultsCount: 7 });
  });

  test('pageSize 0 returns all children on one page, after which there is none', async () => {
    const response = await children(server, folder, '?pageSize=0').expect(200);
    expect(namesIn(response)).toEqual(names);
    const beyond = await children(server, folder, '?pageSize=0&currentPageIndex=3').expect(200);
    expect(beyond.body).toMatchObject({ entries: [], currentPageIndex: 3, currentPageOffset: 3000 });
    expect(response.body).toMatchObject({
      pageSize: 0,
      numberOfPages: 1,
      pageCount: 1,
      isNextPageAvailable: false,
    });
  });

  test('a pageSize above 1000 is reduced to 1000', async () => {
    const { body } = await children(server, folder, '?pageSize=5000').expect(200);
    expect(body).toMatchObject({ pageSize: 1000, maxPageSize: 1000 });
  });

  test('a huge currentPageIndex returns no entries', async () => {
    const { body } = await children(server, folder, '?currentPageIndex=2147483647').expect(200);
    expect(body).toMatchObject({ entries: [], resultsCount: 7 });
  });

  test('maxResults limits resultsCount and the pages', async () => {
    const first = await children(server, folder, '?pageSize=3&maxResults=4').expect(200);
    expect(first.body).toMatchObject({ resultsCount: 4, resultsCountLimit: 4, numberOfPages: 2 });
    const second = await children(server, folder, '?pageSize=3&maxResults=4&currentPageIndex=1').expect(200);
    expect(namesIn(second)).toEqual(['c03']);
    expect(second.body.isNextPageAvailable).toBe(false);
  });

  test('maxResults 0 returns no results', async () => {
    const { body } = await children(server, folder, '?maxResults=0').expect(200);
    expect(body).toMatchObject({ entries: [], resultsCount: 0 });
  });

  test('maxResults above the count changes nothing', async () => {
    const [one, other] = [
      await children(server, folder, '?maxResults=100').expect(200),
      await children(server, folder).expect(200),
    ];
    expect(envelope(one.body)).toEqual(envelope(other.body));
  });

  test('empty parameters have no effect', async () => {
    const empty = '?pageSize=&currentPageIndex=&offset=&maxResults=&sortBy=&sortOrder=';
    expect((await children(server, folder, empty).expect(200)).body).toEqual(
      (await children(server, folder).expect(200)).body,
    );
  });

  test.each(['pageSize', 'currentPageIndex', 'offset', 'maxResults'])(
    'a %s that is not a whole number from 0 answers 400 and names the parameter',
    async (name) => {
      for (const value of ['-3', 'x', '1.5', ' ', '1e3', '0x10', '-99999999999', 'NaN', '１']) {
        const query = `?${name}=${encodeURIComponent(value)}`;
        const { status, body } = await children(server, folder, query);
        expect([value, status, String(body.message).includes(name)]).toEqual([value, 400, true]);
      }
    },
  );
});

describe('§2 all pages of a list', () => {
  test('contain every child once, in order, for every page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), async (pageSize) => {
        const found: string[] = [];
        let isNext = true;
        for (let index = 0; isNext; index += 1) {
          const query = `?pageSize=${pageSize}&currentPageIndex=${index}`;
          const response = await children(server, folder, query).expect(200);
          found.push(...namesIn(response));
          isNext = response.body.isNextPageAvailable;
        }
        expect(found).toEqual(names);
      }),
      { numRuns: 9 },
    );
  });
});

describe('the cost of a page', () => {
  test('is the same number of statements, at most two, for 2 children and for 50', async () => {
    const [few, many] = [await createFolder(server, numbered(2)), await createFolder(server, numbered(50))];
    const [two, fifty] = [await children(server, few).expect(200), await children(server, many).expect(200)];
    expect(fifty.body.entries).toHaveLength(50);
    expect(statements(fifty)).toBe(statements(two));
    expect(statements(fifty)).toBeLessThanOrEqual(2);
  });
});
