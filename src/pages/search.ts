import type { Context } from '../context.ts';
import { Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { noteSought } from '../loaders/highlights.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Query, Sort } from '../query/ast.ts';
import { type GivenQuery, readDocumentQuery } from '../query/read-query.ts';
import { type GivenPage, readPage } from './page.ts';
import type { DocumentsPage } from './page-providers.ts';

/** Which page of what is found is wanted. */
export interface GivenSearch extends GivenPage {
  /** Fields in which the enricher `highlight` shows the words that are looked for. */
  readonly highlight?: readonly string[] | null | undefined;
}

/** A page of what a query finds (§4.7). @throws Invalid */
async function find(
  { load }: Context,
  query: Query,
  { highlight, ...given }: GivenSearch,
): Promise<DocumentsPage> {
  const page = readPage(given);
  const { rows, total } = await load.search(query, page);
  noteSought(rows, query, highlight ?? []);
  return { ...page, total, entries: rows };
}

/** A page of what a query finds, as its caller says it. @throws Invalid naming the place of a fault in the query. */
export const findByQuery = async (
  context: Context,
  query: GivenQuery,
  given: GivenSearch,
): Promise<DocumentsPage> => find(context, await readDocumentQuery(context, query), given);

/** What is looked for at a document: by a query, wherever it is, or by words below. */
export interface GivenAtDocument extends GivenQuery {
  readonly fullText?: string | null | undefined;
  /** Of the words: properties, each with `asc` or `desc` behind it perhaps. */
  readonly orderBy?: readonly string[] | null | undefined;
}

function sortOf(text: string): Sort {
  const [, property, order = 'asc'] = /^\s*([^\s]+)(?:\s+(asc|desc))?\s*$/i.exec(text) ?? [];
  if (property === undefined) throw new Invalid(`orderBy: "${text.slice(0, 80)}" is no property`);
  return { property, isAscending: order.toLowerCase() === 'asc' };
}

/** The folder that a document is, or is in. */
function folderOf({ model }: Context, row: DocumentRow): string {
  if (facetsOf(model, row).includes('Folderish')) return row.path;
  return row.path.slice(0, row.path.lastIndexOf('/')) || '/';
}

/** Words in what is below a folder, what is trashed too, but no versions. */
const wordsBelow = (path: string, words: string, orderBy: readonly string[]): Query => ({
  select: '*',
  from: ['Document'],
  where: {
    kind: 'and',
    of: [
      { kind: 'compare', property: 'ecm:fulltext', op: '=', value: words },
      { kind: 'compare', property: 'ecm:isVersion', op: '=', value: false },
      { kind: 'startsWith', property: 'ecm:path', prefix: path },
    ],
  },
  orderBy: orderBy.map(sortOf),
});

/** A page of what is found at a document (`@search`). @throws Invalid when it is said neither how nor what. */
export async function findAt(
  context: Context,
  row: DocumentRow,
  { fullText, orderBy, ...query }: GivenAtDocument,
  given: GivenSearch,
): Promise<DocumentsPage> {
  if (query.query) return findByQuery(context, query, given);
  if (!fullText) throw new Invalid('Expecting a query or a fullText parameter');
  return find(context, wordsBelow(folderOf(context, row), fullText, orderBy ?? []), given);
}
