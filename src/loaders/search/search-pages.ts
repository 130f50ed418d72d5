import { Invalid } from '../../errors.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { Query, Sort } from '../../query/ast.ts';
import { mostRelevantFirst } from '../../query/order-sql.ts';
import { type QueryInput, readDocumentQuery } from '../../query/read-query.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import { type PageRequest, readPage } from '../lists/page.ts';
import type { DocumentsPage } from './documents-page.ts';
import { highlighting } from './highlights.ts';

export interface SearchRequest extends PageRequest {
  readonly highlight?: readonly string[] | null | undefined;
}

async function find(context: Context, query: Query, request: SearchRequest): Promise<DocumentsPage> {
  const { highlight, ...pageRequest } = request;
  const page = readPage(pageRequest);
  const highlighted = highlighting(query, highlight, [], context.services.wordAnalysis);
  const { rows, ...counted } = await context.load.search(query, page);
  const pageAt = (offset: number) => find(context, query, { ...request, offset, cursor: undefined });
  return { ...page, ...counted, entries: highlighted(rows), pageAt };
}

export const findByQuery = async (
  context: Context,
  query: QueryInput,
  request: SearchRequest,
): Promise<DocumentsPage> => find(context, await readDocumentQuery(context, query), request);

/**
 * A search whose URL names a document: either a query over the whole repository, or words to search for below the
 * document.
 */
export interface DocumentSearchRequest extends QueryInput {
  readonly fullText?: string | null | undefined;
  /** The order of a full-text search: names of properties, each optionally followed by `asc` or `desc`. */
  readonly orderBy?: readonly string[] | null | undefined;
}

function sortOf(text: string): Sort {
  const [, property, order = 'asc'] = /^\s*([^\s]+)(?:\s+(asc|desc))?\s*$/i.exec(text) ?? [];
  if (property === undefined)
    throw new Invalid(
      `orderBy must be a property, optionally followed by asc or desc; got "${text.slice(0, 80)}".`,
    );
  return { property, isAscending: order.toLowerCase() === 'asc' };
}

/** The path of the document if it is a folder, and otherwise the path of its parent. */
function folderOf({ services: { model } }: Context, row: DocumentRow): string {
  if (facetsOf(model, row).includes('Folderish')) return row.path;
  return row.path.slice(0, row.path.lastIndexOf('/')) || '/';
}

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
  orderBy: orderBy.length > 0 ? orderBy.map(sortOf) : [mostRelevantFirst],
});

/**
 * Implements the adapter `@search`.
 * @throws Invalid if there is neither a query nor words
 */
export async function searchAtDocument(
  context: Context,
  row: DocumentRow,
  { fullText, orderBy, ...query }: DocumentSearchRequest,
  request: SearchRequest,
): Promise<DocumentsPage> {
  if (query.query) return findByQuery(context, query, request);
  if (!fullText) throw new Invalid('Expecting a query or a fullText parameter');
  return find(context, wordsBelow(folderOf(context, row), fullText, orderBy ?? []), request);
}
