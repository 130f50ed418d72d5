import type { Model } from '../../model/model.ts';
import type { OrderKey } from '../../query/order-sql.ts';
import type { SqlParameters } from '../../query/parameters.ts';
import type { ListPosition } from './list-cursor.ts';
import type { PageArguments } from './page.ts';

/** Adds a value to the parameters of a statement and returns its number, such as `$3`. */
export type AddParameter = (value: unknown) => string;

/**
 * The SQL condition of a filter: either a function of the parameter with the filter's value, or `compile`, whose SQL
 * depends on the value. Only statements without the latter can be prepared.
 */
export type ListFilter<Value> =
  | ((parameter: string) => string)
  | { readonly compile: (value: Value, add: AddParameter) => string };

export interface SortContext {
  readonly model: Model;
  readonly parameters: SqlParameters;
}

/** The definition of a list: its entries, their order, and who may read them. */
export interface ListDefinition {
  /** The prefix of the names of its prepared statements. */
  readonly name: string;
  /** The SELECT list of an entry, which includes an `id`. Absent for lists of documents `d`, which are read whole. */
  readonly columns?: string;
  readonly from: string;
  /** The condition of all entries; `$1` is the repository. */
  readonly where: string;
  /** The condition that an entry belongs to a key (a UUID), such as `d.parent_id ${equals}`. */
  readonly ofKey?: (equals: string) => string;
  /** The order when a request asks for none. */
  readonly order: readonly OrderKey[];
  /** The unique sort key that ends every order. */
  readonly tieBreak: OrderKey;
  /** Makes the sort key of a property. Absent: requests cannot choose the order. @throws Invalid */
  readonly sortKey?: (property: string, isAscending: boolean, context: SortContext) => OrderKey;
  /** The conditions of the filters, by name. */
  readonly filters?: Readonly<Record<string, ListFilter<never>>>;
  /**
   * For lists of documents `d`: documents that the caller cannot read are neither listed nor counted, and the others are
   * counted up to SEARCH_COUNT_LIMIT.
   */
  readonly hasReadableOnly?: true;
  /** Computes no total. For lists whose total nothing needs. */
  readonly isUncounted?: true;
  /**
   * Requests for a single key use a statement with an equality instead of an array. PostgreSQL plans it once, whereas it
   * plans one with an array for each call. This pays off for children, the most frequent list.
   */
  readonly hasSingleKeyStatement?: true;
}

export interface ListPageArguments
  extends Pick<PageArguments, 'pageSize' | 'offset' | 'cursor' | 'shownPrefixes'> {
  readonly maxResults?: PageArguments['maxResults'];
  readonly sortBy?: PageArguments['sortBy'] | undefined;
  readonly sortOrder?: PageArguments['sortOrder'] | undefined;
  /** Whether pages get shorter when they are read for very many keys at once, so that their sum stays bounded. */
  readonly hasSharedLimit?: boolean | undefined;
  /** The maximum page size, if it is not `maxPageSize`. */
  readonly largest?: number | undefined;
}

export interface ListRequest {
  readonly filters: ReadonlyArray<readonly [name: string, value: unknown]>;
  readonly page: Omit<ListPageArguments, 'cursor'>;
  /** The place where the page begins, if it is read by cursor. */
  readonly from?: ListPosition;
}
