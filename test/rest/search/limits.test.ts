import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { call, exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
const tags = Array.from({ length: 12 }, (_, index) => `tag${index}`);
beforeAll(async () => {
  const { uid } = await createDocument(server, {
    type: 'Note',
    name: 'found',
    properties: { 'dc:title': 'annual report' },
  });
  for (const label of tags)
    await call(server.request, 'Services.TagDocument', { input: uid, params: { tags: label } });
});

/** Asks by POST: addresses are too short for it. */
const ask = (where: string, namedParameters: Record<string, unknown> = {}) =>
  call(server.request, 'Repository.Query', {
    params: { query: `SELECT * FROM Document WHERE ${where}`, namedParameters },
  });

const repeated = (condition: string, count: number, by = 'OR'): string =>
  Array(count).fill(condition).join(` ${by} `);

/** So many different conditions, texts or words. */
const many = (count: number, nth: (index: number) => string, between = ' OR '): string =>
  Array.from({ length: count }, (_, index) => nth(index)).join(between);

/** Less than what the worst of them took before, and more than a busy machine needs. */
const soon = 20_000;

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

describe('§4.7 the work of one query', () => {
  test.each([
    ['ecm:fulltext=:w', 499],
    ['ecm:fulltext.dc:title=:w', 340],
  ])('is that of one condition when %s is repeated', async (condition, count) => {
    const w = `annual* ${many(90, (index) => `OR word${index}*`, ' ')}`;
    const time = await milliseconds(async () => {
      const { body } = await ask(`ecm:isVersion = 0 AND (${repeated(condition, count)})`, { w }).expect(200);
      expect(body.resultsCount).toBe(1);
    });
    expect(time).toBeLessThan(soon);
  });

  test.each([
    ['tags', 500, (n: number) => `ecm:tag = 'tag${n}'`],
    ['words', 200, (n: number) => `ecm:fulltext = 'word${n}'`],
    [
      'collections',
      500,
      (n: number) => `collectionMember:collectionIds = '00000000-0000-4000-8000-${1e11 + n}'`,
    ],
  ])('is bounded when a document must have many %s', async (_, count, nth) => {
    const time = await milliseconds(() => ask(many(count, nth, ' AND ')).expect(200));
    expect(time).toBeLessThan(soon);
  });

  test('finds what meets all of many conditions', async () => {
    const all = tags.map((tag) => `ecm:tag = '${tag}' AND ecm:fulltext = 'report'`).join(' AND ');
    expect((await ask(`ecm:isVersion = 0 AND ${all}`).expect(200)).body.resultsCount).toBe(1);
    expect(
      (await ask(`ecm:isVersion = 0 AND ${all} AND ecm:tag = 'none'`).expect(200)).body.resultsCount,
    ).toBe(0);
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    [
      'words',
      `ecm:fulltext = '${many(201, (n) => `w${n}`, ' ')}'`,
      {},
      'words to search for: the maximum is 200',
    ],
    [
      'words of several conditions',
      many(21, (n) => `ecm:fulltext = '${many(10, (m) => `w${n}x${m}`, ' ')}'`),
      {},
      'words to search for: the maximum is 200',
    ],
    [
      'words of one phrase',
      'ecm:fulltext = :w',
      { w: `"${many(40_000, () => 'a', ' ')}"` },
      'words to search for: the maximum is 200',
    ],
    ['conditions', many(501, (n) => `dc:title = 't${n}'`), {}, 'conditions: the maximum is 500'],
    [
      'values of a list',
      'ecm:uuid IN :ids',
      { ids: Array(10_001).fill('a') },
      'values: the maximum is 10000',
    ],
    [
      'values of several lists',
      'dc:title IN :some OR dc:source IN :some',
      { some: Array(5001).fill('a') },
      'values: the maximum is 10000',
    ],
  ])('has a bound for %s', async (_, where, named, bound) => {
    const { body } = await ask(where, named).expect(400);
    expect(body).toMatchObject(
      exception(400, expect.stringMatching(`^query: (at \\d+: )?too many ${bound}`)),
    );
  });

  test('has a bound for parameters, which is that of the fields of an object', async () => {
    const named = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, 'a']));
    const { body } = await ask('dc:title = :p1', named(10_001)).expect(413);
    expect(body.message).toContain('10000 fields');
    await ask('dc:title = :p1', named(9_990)).expect(200);
  });

  test('has a bound for the length of a bound text', async () => {
    const { body } = await ask('dc:title = :t', { t: 'x'.repeat(100_001) }).expect(400);
    expect(body.message).toBe('query: at 41: :t must not be longer than 100000 characters');
    await ask('dc:title = :t', { t: 'x'.repeat(100_000) }).expect(200);
  });

  test('has the same bounds in page providers', async () => {
    const provide = (namedParameters: Record<string, unknown>) =>
      call(server.request, 'Repository.PageProvider', {
        params: { providerName: 'default_search', namedParameters },
      });
    const folders = Array.from({ length: 501 }, (_, index) => `/folder${index}`);
    const paths = await provide({ ecm_path: folders }).expect(400);
    expect(paths.body.message).toBe('query: too many conditions: the maximum is 500');
    const long = await provide({ ecm_fulltext: 'x'.repeat(100_001) }).expect(400);
    expect(long.body.message).toBe('ecm_fulltext must not be longer than 100000 characters');
  });
});

describe('§4.7 a long text', () => {
  const long = 90_000;
  test.each([
    ['wildcards', 'ecm:fulltext = :t', `a${'*'.repeat(long)}x`, 200],
    ['slashes in a path', 'ecm:path STARTSWITH :t', `${'/'.repeat(long)}x`, 200],
    ['slashes in a prefix', 'dc:title STARTSWITH :t', `${'/'.repeat(long)}x`, 200],
    ['backslashes', 'dc:title LIKE :t', `${'\\'.repeat(long)}x`, 200],
    ['digits', 'file:content/length = :t', `${'1'.repeat(long)}x`, 400],
  ])('of %s takes linear time', async (_, where, t, status) => {
    const time = await milliseconds(() => ask(where, { t }).expect(status));
    expect(time).toBeLessThan(soon);
  });

  test('of wildcards takes linear time in a page provider', async () => {
    const params = {
      providerName: 'default_document_suggestion',
      queryParams: [`a${'*'.repeat(long)}x`],
    };
    const time = await milliseconds(() =>
      call(server.request, 'Repository.PageProvider', { params }).expect(200),
    );
    expect(time).toBeLessThan(soon);
  });
});
