import { beforeAll, describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer({ SEARCH_COUNT_LIMIT: '3' });
const ann = useUser(server, 'ann');

/** The names of the hits: first those that are modified first. The last one was modified after all other documents. */
const names = Array.from({ length: 14 }, (_, nth) => `hit-${String(nth).padStart(2, '0')}`);
const [last = ''] = names.slice(-1);
const titled = names.filter((_, nth) => nth % 3 === 0);
const untitled = names.filter((name) => !titled.includes(name));

const wordIn = (name: string) =>
  titled.includes(name)
    ? { 'dc:title': `mammoth ${name}` }
    : { 'dc:title': name, 'dc:description': 'a mammoth' };

beforeAll(async () => {
  await setAcl(server, '/', [grant('ann', 'Read'), grant('Administrator', 'Everything')]);
  for (const name of names.slice(0, -1)) await createDocument(server, { name, properties: wordIn(name) });
  for (let nth = 0; nth < 40; nth += 1)
    await createDocument(server, { properties: { 'dc:title': `horse ${nth}` } });
  await createDocument(server, { name: last, properties: wordIn(last) });
});

interface Page {
  readonly resultsCount: number;
  readonly nextCursor?: string;
  readonly entries: ReadonlyArray<{ readonly path: string }>;
}

const nameOf = ({ path }: { readonly path: string }): string => path.replace(/^.*\//, '');

async function search(requests: typeof ann, order: string, page: Record<string, unknown>): Promise<Page> {
  const query = `SELECT * FROM Document WHERE ecm:fulltext = 'mammoth'${order && ` ORDER BY ${order}`}`;
  const parameters = { query, pageSize: 2, ...page };
  const { body } = await requests.get('/api/v1/search/execute').query(parameters).expect(200);
  expect(body.resultsCount).toBe(-2);
  return body;
}

const newestFirst = [...names].reverse();

describe('§2.2, §4.7 a search with more hits than are sorted, nearly all of which are at the end of the order', () => {
  const orders: ReadonlyArray<readonly [string, readonly string[]]> = [
    ['dc:modified DESC', newestFirst],
    ['dc:created DESC', newestFirst],
    ['dc:created', names],
    ['ecm:name DESC', newestFirst],
    ['dc:title DESC', [...titled].reverse().concat([...untitled].reverse())],
    ['dc:modified DESC, dc:title', newestFirst],
    ['', names],
    ['ecm:fulltextScore DESC', [...titled].reverse().concat([...untitled].reverse())],
  ];

  test.each(orders)(
    'returns every page by number and by cursor when it is sorted by "%s"',
    async (order, all) => {
      for (const requests of [server.request, ann]) {
        const [byNumber, byCursor]: [string[], string[]] = [[], []];
        let cursor: string | undefined = '*';
        for (let nth = 0; nth < names.length / 2; nth += 1) {
          const page = await search(requests, order, { currentPageIndex: nth });
          byNumber.push(...page.entries.map(nameOf));
          const next: Page = await search(requests, order, { cursor });
          byCursor.push(...next.entries.map(nameOf));
          cursor = next.nextCursor;
        }
        expect([byNumber, byCursor]).toEqual([all, all]);
      }
    },
  );

  test('finds the oldest hits without a limit on the page', async () => {
    const page = await search(server.request, 'dc:modified DESC', { pageSize: 100 });
    expect(page.entries.map(nameOf)).toEqual(newestFirst);
  });
});
