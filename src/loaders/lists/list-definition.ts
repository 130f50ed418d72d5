import type { Model } from '../../model/model.ts';
import type { OrderKey } from '../../query/order-sql.ts';
import type { SqlParameters } from '../../query/parameters.ts';
import type { Permission } from '../../security/permissions.ts';
import type { ListPosition } from './list-cursor.ts';
import type { PageArguments } from './page.ts';

export type AddParameter = (value: unknown) => string;

/** The condition of a filter: of a value that is a parameter, or compiled with its value. */
export type ListFilter<Value> =
  | ((parameter: string) => string)
  | { readonly compile: (value: Value, add: AddParameter) => string };

export interface SortContext {
  readonly model: Model;
  readonly parameters: SqlParameters;
}

/** A list as data: which rows its entries are, in which order they come, and who may read them. */
export interface ListDefinition {
  /** The prepared statements are named after it. */
  readonly name: string;
  /** The SELECT list of an entry, with an `id`. Absent of documents `d`, which are read whole. */
  readonly columns?: string;
  readonly from: string;
  /** `$1` is the repository. */
  readonly where: string;
  /** The condition that an entry belongs to a key (a UUID), such as `d.parent_id ${equals}`. */
  readonly ofKey?: (equals: string) => string;
  /** The usual order. */
  readonly order: readonly OrderKey[];
  /** The last sort key of any order: it is unique. */
  readonly tieBreak: OrderKey;
  /** The sort key of a property; absent where requests cannot sort. @throws Invalid */
  readonly sortKey?: (property: string, isAscending: boolean, context: SortContext) => OrderKey;
  /** The condition of each filter by its name. */
  readonly filters?: Readonly<Record<string, ListFilter<never>>>;
  /**
   * For lists of documents `d`: those on which the caller lacks this permission are neither listed nor
   * counted.
   */
  readonly permission?: Permission;
  /** Versions may be among them, which need ReadVersion instead: each document is asked by itself. */
  readonly mayHaveVersions?: true;
  /** No total is computed, where nothing needs it. */
  readonly isUncounted?: true;
  /**
   * A single key has a statement without an array: PostgreSQL plans it once, whereas it plans one with an
   * array for each call. Measured for children, the most frequent list.
   */
  readonly hasSingleKeyStatement?: true;
}

export interface ListPageArguments
  extends Pick<PageArguments, 'pageSize' | 'offset' | 'cursor' | 'shownPrefixes'> {
  readonly maxResults?: PageArguments['maxResults'];
  readonly sortBy?: PageArguments['sortBy'] | undefined;
  readonly sortOrder?: PageArguments['sortOrder'] | undefined;
  /** Whether the pages of very many keys are shorter, so that all together stay within bounds. */
  readonly hasSharedLimit?: boolean | undefined;
  /** The largest page, where that is not `maxPageSize`. */
  readonly largest?: number | undefined;
}

export interface ListRequest {
  readonly filters: ReadonlyArray<readonly [name: string, value: unknown]>;
  readonly page: Omit<ListPageArguments, 'cursor'>;
  /** Where a page by cursor begins. */
  readonly from?: ListPosition;
}
