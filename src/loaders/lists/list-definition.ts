import type { Model } from '../../model/model.ts';
import type { OrderKey } from '../../query/order-sql.ts';
import type { SqlParameters } from '../../query/parameters.ts';
import type { ListPosition } from './list-cursor.ts';
import type { PageArguments } from './page.ts';

/** Adds a value to the parameters of a statement and returns the placeholder for it, such as `$3`. */
export type AddParameter = (value: unknown) => string;

/**
 * The SQL condition of a filter: either a function of the parameter that holds the filter's value, or `compile`, if the
 * SQL itself depends on the value. A statement with a compiled filter cannot be prepared.
 */
export type ListFilter<Value> =
  | ((parameter: string) => string)
  | { readonly compile: (value: Value, add: AddParameter) => string };

export interface SortContext {
  readonly model: Model;
  readonly parameters: SqlParameters;
}

/** The definition of a list: its entries, their order, and who can read them. */
export interface ListDefinition {
  /** The prefix for the names of the list's prepared statements. */
  readonly name: string;
  /**
   * The SELECT list of an entry, which includes an `id`. Absent for lists of documents `d`, whose complete rows are
   * read.
   */
  readonly columns?: string;
  readonly from: string;
  /** The condition that all entries of the list meet; `$1` is the repository. */
  readonly where: string;
  /** Returns the condition for entries with a given key (a UUID), such as `d.parent_id ${equals}`. */
  readonly ofKey?: (equals: string) => string;
  /** The order that applies if a request does not ask for one. */
  readonly order: readonly OrderKey[];
  /** The unique sort key at the end of every order. */
  readonly tieBreak: OrderKey;
  /**
   * Returns the sort key for a property. If absent, requests cannot choose the order.
   * @throws Invalid
   */
  readonly sortKey?: (property: string, isAscending: boolean, context: SortContext) => OrderKey;
  /** The conditions of the filters, by name. */
  readonly filters?: Readonly<Record<string, ListFilter<never>>>;
  /**
   * For lists of documents `d`: documents that the caller cannot read are neither listed nor counted, and the others
   * are counted up to SEARCH_COUNT_LIMIT.
   */
  readonly hasReadableOnly?: true;
  /** If set, no total is computed. This is for lists whose total is never used. */
  readonly isUncounted?: true;
  /**
   * If set, requests for a single key use a statement with an equality comparison instead of an array. PostgreSQL plans
   * that statement only once, whereas it plans a statement with an array for each call. This pays off for children, the
   * list that is read most often.
   */
  readonly hasSingleKeyStatement?: true;
}

export interface ListPageArguments
  extends Pick<PageArguments, 'pageSize' | 'offset' | 'cursor' | 'shownPrefixes'> {
  readonly maxResults?: PageArguments['maxResults'];
  readonly sortBy?: PageArguments['sortBy'] | undefined;
  readonly sortOrder?: PageArguments['sortOrder'] | undefined;
  /**
   * If set, pages that are read for very many keys at once are shortened, so that their total size stays bounded.
   */
  readonly hasSharedLimit?: boolean | undefined;
  /** The maximum page size, if it differs from `maxPageSize`. */
  readonly largest?: number | undefined;
}

export interface ListRequest {
  readonly filters: ReadonlyArray<readonly [name: string, value: unknown]>;
  readonly page: Omit<ListPageArguments, 'cursor'>;
  /** The position at which the page starts, if it is read by cursor. */
  readonly from?: ListPosition;
}
