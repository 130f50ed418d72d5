/**
 * Page providers as they are written down: searches that clients call by name (§4.7). The stock ones are in
 * `page-providers.ts`; those of MODEL_DIR have the same shape.
 */

/** How a property is compared with a parameter. `PREFIX` is what it, or a word of a full text, begins with. */
export const operators = [
  ...(['=', '<>', '<', '<=', '>', '>='] as const),
  ...(['LIKE', 'ILIKE', 'IN', 'BETWEEN', 'STARTSWITH', 'PREFIX'] as const),
] as const;

/** A condition that is there when its parameter is. */
export interface PredicateDefinition {
  /**
   * The name of the parameter, or its place among the positional ones, from 1. `BETWEEN` takes two names, that of the
   * first value and that of the last, each of which may be left out.
   */
  parameter: string | number | readonly [min: string, max: string];
  /** An xpath or an `ecm:` name: `dc:creator`, `ecm:fulltext`. */
  property: string;
  operator: (typeof operators)[number];
}

export interface SortDefinition {
  property: string;
  order: 'asc' | 'desc';
}

/** A part of all numbers, from the first to before the last; without an end where that is not said. */
export interface RangeDefinition {
  key: string;
  from?: number;
  to?: number;
}

/** A part of all time: durations from now (`-P7D`), or dates. */
export interface DateRangeDefinition {
  key: string;
  from?: string;
  to?: string;
}

export const intervals = ['year', 'month', 'day'] as const;

/** The most buckets of terms, unless the aggregate says otherwise. */
export const usualSize = 10;

/** How many of the documents that are found have which values. */
export type AggregateDefinition = {
  /** Its name, and that of the parameter that selects some of its buckets. */
  id: string;
  property: string;
} & (
  | {
      type: 'terms';
      /** The most buckets, those of most documents first. */
      size?: number;
    }
  | { type: 'range'; ranges: readonly RangeDefinition[] }
  | { type: 'date_range'; ranges: readonly DateRangeDefinition[] }
  | { type: 'histogram'; interval: number }
  | { type: 'date_histogram'; interval: (typeof intervals)[number] }
);

/** What a parameter of the request switches on. */
export interface QuickFilterDefinition {
  name: string;
  /** What stands behind a WHERE of NXQL. */
  condition?: string;
  /** Comes before the order of the provider. */
  sort?: readonly SortDefinition[];
}

export interface PageProviderDefinition {
  name: string;
  /**
   * The part of the query that is always there, in NXQL: `?` stands for positional parameters, `:name` for named ones,
   * which must be given then. `?` alone is a whole query that the first parameter brings; `MEMBERS` are those of the
   * collection whose id it brings, in their own order.
   */
  query: string;
  predicates?: readonly PredicateDefinition[];
  aggregates?: readonly AggregateDefinition[];
  quickFilters?: readonly QuickFilterDefinition[];
  sort?: readonly SortDefinition[];
  /** Whether requests may ask for another order; they may when absent. */
  isSortable?: boolean;
  /** 50 when absent. */
  pageSize?: number;
  /** At most, and when absent, 1000. */
  maxPageSize?: number;
  /** Fields that the enricher `highlight` shows when the request names none. */
  highlight?: readonly string[];
}
