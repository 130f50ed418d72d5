import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import {
  type ListDefinition,
  type ListPageArguments,
  type ListRequest,
  listStatement,
} from './list-statement.ts';
import {
  loaderPerArguments,
  type PageResult,
  type PageResultRow,
  pageLoader,
  pagesByKey,
} from './page-loader.ts';

/** Reads a page of a list: of one key's entries, or of all when no key is given. */
export type ListLoader<Filter, Row> = (
  filter: { readonly [Name in keyof Filter]?: Filter[Name] | undefined },
  page: ListPageArguments,
  key?: string,
) => Promise<PageResult<Row>>;

// A list with a condition for each filter that its loader accepts.
type FilteredList<Filter> = ListDefinition & {
  readonly filters?: { readonly [Name in keyof Filter]-?: (parameter: string) => string };
};

/**
 * Makes the loader of a list. One statement reads the pages of many keys. Absent filters are not in it, so
 * that each set of filters has a plan of its own.
 */
export const defineList =
  <Filter extends object, Row>(list: FilteredList<Filter>) =>
  (scope: Scope, { now }: Pick<Access, 'now'>): ListLoader<Filter, Row> => {
    const read = (request: ListRequest, keys: readonly string[] | null) => {
      const { statement, values } = listStatement(list, request, keys, { ...scope, now });
      return scope.db.query<PageResultRow<Row>>(statement, values);
    };
    const pageOfKey = loaderPerArguments((request: ListRequest) => pageLoader((keys) => read(request, keys)));
    return async (filter, { pageSize, offset, maxResults, sortBy, sortOrder, hasSharedLimit }, key) => {
      const filters = Object.entries(filter).filter(([, value]) => value !== undefined);
      const page = { pageSize, offset, maxResults, sortBy, sortOrder, hasSharedLimit };
      if (key !== undefined) return pageOfKey(key, { filters, page });
      const [whole] = pagesByKey(await read({ filters, page }, null)).values();
      return whole ?? { total: 0, rows: [] };
    };
  };
