import { z } from 'zod';

/**
 * The operators of predicates. `PREFIX` matches a property, or a word of a full text, that begins with the parameter.
 */
const predicateOperators = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'LIKE',
  'ILIKE',
  'IN',
  'BETWEEN',
  'STARTSWITH',
  'PREFIX',
] as const;

/** A condition that applies if the request has its parameter. */
const predicate = z.strictObject({
  /**
   * The name of the parameter, or its position among the positional ones, from 1. `BETWEEN` takes the names of the first
   * and the last value, and the request can omit either.
   */
  parameter: z.union([z.string(), z.int().min(1), z.tuple([z.string(), z.string()])]),
  /** An xpath or an `ecm:` name, such as `dc:creator` or `ecm:fulltext`. */
  property: z.string(),
  operator: z.enum(predicateOperators),
});

export type PredicateDefinition = z.infer<typeof predicate>;

const sort = z.strictObject({ property: z.string(), order: z.enum(['asc', 'desc']) });

export type SortDefinition = z.infer<typeof sort>;

/** A range that includes `from` and excludes `to`. Without one of them it is unbounded on that side. */
const rangeOf = <Limit extends z.ZodType>(limit: Limit) =>
  z.strictObject({ key: z.string(), from: limit.exactOptional(), to: limit.exactOptional() });

const histogramIntervals = ['year', 'month', 'day'] as const;

export type HistogramInterval = (typeof histogramIntervals)[number];

export const defaultBucketCount = 10;

const common = {
  /** The name of the aggregate, and of the request parameter that selects its buckets. */
  id: z.string(),
  property: z.string(),
};

/** Counts the found documents by the values of a property. */
const aggregate = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('terms'),
    /** The maximum number of buckets; those with the most documents are returned. */
    size: z.int().min(1).max(1000).exactOptional(),
  }),
  z.strictObject({ ...common, type: z.literal('range'), ranges: z.array(rangeOf(z.number())).min(1) }),
  /** The limits of ranges are durations relative to the current time, such as `-P7D`, or dates. */
  z.strictObject({ ...common, type: z.literal('date_range'), ranges: z.array(rangeOf(z.string())).min(1) }),
  z.strictObject({ ...common, type: z.literal('histogram'), interval: z.number().positive() }),
  z.strictObject({ ...common, type: z.literal('date_histogram'), interval: z.enum(histogramIntervals) }),
]);

export type AggregateDefinition = z.infer<typeof aggregate>;

const pageSize = z.int().min(0).max(1000);

/** A page provider: a search that clients call by name (§4.7). */
export const pageProviderShape = z.strictObject({
  name: z.string(),
  /**
   * The fixed part of the query, in NXQL, with `?` for positional and `:name` for named parameters, which are
   * then required. The query `?` is replaced by the first parameter. The query `MEMBERS` lists the members of the
   * collection whose id is the first parameter, in the order of the collection.
   */
  query: z.string(),
  /** The document type of its saved searches, a subtype of SavedSearch; by default SavedSearch. */
  modelType: z.string().exactOptional(),
  predicates: z.array(predicate).exactOptional(),
  aggregates: z.array(aggregate).exactOptional(),
  /** Additional conditions and sort orders that a request activates by name. */
  quickFilters: z
    .array(
      z.strictObject({
        name: z.string(),
        /** NXQL as it follows `WHERE`. */
        condition: z.string().exactOptional(),
        /** Sort keys that precede those of the page provider. */
        sort: z.array(sort).exactOptional(),
      }),
    )
    .exactOptional(),
  sort: z.array(sort).exactOptional(),
  /** Whether requests can set another sort order; by default true. */
  isSortable: z.boolean().exactOptional(),
  /** By default 50. */
  pageSize: pageSize.exactOptional(),
  /** By default 1000. */
  maxPageSize: pageSize.min(1).exactOptional(),
  /** The fields that the enricher `highlight` shows if the request names none. */
  highlight: z.array(z.string()).exactOptional(),
});

export type PageProviderDefinition = z.infer<typeof pageProviderShape>;
