import { creators, documentId, folderOf, pathOf } from './seed-scale.ts';

/** The maximum 95th percentile of the response times, in milliseconds. */
export const goals = { id: 5, path: 5, children: 15, search: 100, aggregates: 300 } as const;

export interface ScaleRow {
  readonly name: string;
  readonly goal: keyof typeof goals;
  /** Returns the path for the nth request. */
  readonly path: (nth: number) => string;
  /** The number of distinct requests; 1 by default. */
  readonly distinct?: number;
  /**
   * The number of a page that is requested by its cursor. All pages before it are read to find the cursor.
   */
  readonly cursorOfPage?: number;
}

const nxql =
  (where: string, order = 'dc:modified DESC', more = '') =>
  () =>
    `/search/execute?pageSize=50${more}&query=${encodeURIComponent(
      `SELECT * FROM Document${where && ` WHERE ${where}`}${order && ` ORDER BY ${order}`}`,
    )}`;

const varied =
  (where: (nth: number) => string) =>
  (nth: number): string =>
    nxql(where(nth))();

/**
 * Creates the rows.
 * @param hot the total number of different documents that varied requests return
 */
export const scaleRows = (documents: number, hot: number): readonly ScaleRow[] => {
  const chosen = (nth: number): number => (nth * 7919) % Math.min(hot, documents);
  const part = Math.min(1, hot / documents);
  const of = (most: number): number => Math.max(1, Math.round(most * part));
  const [chosenOnce, folders] = [Math.min(hot, documents), Math.min(hot, documents) / 25];
  const [someCreators, pairs, words] = [of(creators), of(390), Math.min(40_000, of(130_000))];
  return [
    { name: 'by id', goal: 'id', path: (nth) => `/id/${documentId(chosen(nth))}`, distinct: chosenOnce },
    { name: 'by path', goal: 'path', path: (nth) => `/path${pathOf(chosen(nth))}`, distinct: chosenOnce },
    {
      name: 'one page of children',
      goal: 'children',
      path: (nth) => `/path${folderOf(chosen(nth))}/@children`,
      distinct: folders,
    },
    {
      name: 'two words',
      goal: 'search',
      path: varied((nth) => `ecm:fulltext = 'w${20 + ((nth % pairs) % 50)} w${30 + ((nth % pairs) % 70)}'`),
      distinct: pairs,
    },
    {
      name: 'dc:creator, newest first',
      goal: 'search',
      path: varied((nth) => `dc:creator = 'user${nth % someCreators}'`),
      distinct: someCreators,
    },
    { name: 'a common word, newest first', goal: 'search', path: nxql(`ecm:fulltext = 'w1'`) },
    { name: 'all documents, newest first', goal: 'search', path: nxql('') },
    { name: 'one type, newest first', goal: 'search', path: nxql(`ecm:primaryType = 'Note'`) },
    {
      name: 'below a small folder, newest first',
      goal: 'search',
      path: varied((nth) => `ecm:path STARTSWITH '${folderOf(chosen(nth))}'`),
      distinct: folders,
    },
    {
      name: 'below two old folders of 10,000, last created first',
      goal: 'search',
      path: nxql(
        `(ecm:path STARTSWITH '/scale/shelf-0' OR ecm:path STARTSWITH '/scale/shelf-1')`,
        'dc:created DESC',
      ),
    },
    { name: 'dc:title = x', goal: 'search', path: varied((nth) => `dc:title = 'w${nth % 100} w1 ${nth}'`) },
    { name: "dc:title LIKE 'a%'", goal: 'search', path: nxql(`dc:title LIKE 'w77%'`) },
    {
      name: "dc:title ILIKE '%a%'",
      goal: 'search',
      path: varied((nth) => `dc:title ILIKE '% W${10_000 + (nth % words)} %'`),
      distinct: words,
    },
    { name: 'dc:modified > d', goal: 'search', path: nxql(`dc:modified > DATE '2020-06-01'`) },
    {
      name: 'page 1,000 of a common word',
      goal: 'search',
      path: nxql(`ecm:fulltext = 'w1'`, 'dc:modified DESC', '&currentPageIndex=999'),
    },
    {
      name: 'pages 1,000 to 1,099 of a common word, in sequence',
      goal: 'search',
      path: (nth) =>
        nxql(`ecm:fulltext = 'w1'`, 'dc:modified DESC', `&currentPageIndex=${999 + (nth % 100)}`)(),
    },
    {
      name: 'default_search, one word',
      goal: 'aggregates',
      path: () => '/search/pp/default_search/execute?ecm_fulltext=w1',
    },
    { name: 'default_search, no word', goal: 'aggregates', path: () => '/search/pp/default_search/execute' },
    ...[1, 1_000, 10_000].flatMap((page): ScaleRow[] => [
      { name: `all, page ${page} by cursor`, goal: 'search', path: nxql(''), cursorOfPage: page },
      {
        name: `a common word, page ${page} by cursor`,
        goal: 'search',
        path: nxql(`ecm:fulltext = 'w1'`),
        cursorOfPage: page,
      },
    ]),
  ];
};
