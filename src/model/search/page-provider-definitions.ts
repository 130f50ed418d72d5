import { z } from 'zod';

/**
 * The operators of predicates. `PREFIX` matches if the property, or a word in a full-text search, begins with the
 * parameter.
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

/** A condition that applies only if the request contains its parameter. */
const predicate = z.strictObject({
  /**
   * The name of the parameter, or its position among the positional parameters, starting at 1. `BETWEEN` has a pair of
   * names, for the lower and the upper bound; a request can omit either of them.
   */
  parameter: z.union([z.string(), z.int().min(1), z.tuple([z.string(), z.string()])]),
  /** An xpath or an `ecm:` name, such as `dc:creator` or `ecm:fulltext`. */
  property: z.string(),
  operator: z.enum(predicateOperators),
});

export type PredicateDefinition = z.infer<typeof predicate>;

const sort = z.strictObject({ property: z.string(), order: z.enum(['asc', 'desc']) });

export type SortDefinition = z.infer<typeof sort>;

/** A range that includes `from` and excludes `to`. If one of them is absent, the range is unbounded on that side. */
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

/** An aggregate, which counts the found documents by the values of a property. */
const aggregate = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('terms'),
    /** The maximum number of buckets. Those with the most documents are returned. */
    size: z.int().min(1).max(1000).exactOptional(),
  }),
  z.strictObject({ ...common, type: z.literal('range'), ranges: z.array(rangeOf(z.number())).min(1) }),
  /** The bounds of the ranges are dates, or durations relative to the current time, such as `-P7D`. */
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
   * The fixed part of the NXQL query. It contains `?` for positional parameters and `:name` for named parameters. All
   * of these parameters are required. The query `?` is replaced with the first parameter. The query `MEMBERS` lists the
   * members of the collection whose id is the first parameter, in the order of the collection.
   */
  query: z.string(),
  /**
   * The document type of saved searches for this page provider. It must be a subtype of SavedSearch, which is the
   * default.
   */
  modelType: z.string().exactOptional(),
  predicates: z.array(predicate).exactOptional(),
  aggregates: z.array(aggregate).exactOptional(),
  /** Additional conditions and sort orders that a request activates by name. */
  quickFilters: z
    .array(
      z.strictObject({
        name: z.string(),
        /** An NXQL condition, as it would follow `WHERE`. */
        condition: z.string().exactOptional(),
        /** Sort keys that precede those of the page provider. */
        sort: z.array(sort).exactOptional(),
      }),
    )
    .exactOptional(),
  sort: z.array(sort).exactOptional(),
  /** Whether requests can set a different sort order; defaults to true. */
  isSortable: z.boolean().exactOptional(),
  /** Defaults to 50. */
  pageSize: pageSize.exactOptional(),
  /** Defaults to 1000. */
  maxPageSize: pageSize.min(1).exactOptional(),
  /** The fields for the enricher `highlight` if the request does not specify any. */
  highlight: z.array(z.string()).exactOptional(),
});

export type PageProviderDefinition = z.infer<typeof pageProviderShape>;
