import { z } from 'zod';

/** `PREFIX` matches a property, or a word of a full text, that begins with the parameter. */
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

/** A condition that applies if the request gives its parameter. */
const predicate = z.strictObject({
  /**
   * The name of the parameter, or its position among the positional ones, from 1. `BETWEEN` takes two names,
   * of the first and of the last value, and the request may omit either.
   */
  parameter: z.union([z.string(), z.int().min(1), z.tuple([z.string(), z.string()])]),
  /** An xpath or an `ecm:` name, such as `dc:creator` or `ecm:fulltext`. */
  property: z.string(),
  operator: z.enum(predicateOperators),
});

export type PredicateDefinition = z.infer<typeof predicate>;

const sort = z.strictObject({ property: z.string(), order: z.enum(['asc', 'desc']) });

export type SortDefinition = z.infer<typeof sort>;

/** `from` is included and `to` is not; a range without one of them has no limit there. */
const rangeOf = <Limit extends z.ZodType>(limit: Limit) =>
  z.strictObject({ key: z.string(), from: limit.exactOptional(), to: limit.exactOptional() });

const histogramIntervals = ['year', 'month', 'day'] as const;

export type HistogramInterval = (typeof histogramIntervals)[number];

export const defaultBucketCount = 10;

const common = {
  /** The name of the aggregate, and of the parameter that selects buckets of it. */
  id: z.string(),
  property: z.string(),
};

/** Counts the found documents by their values of a property. */
const aggregate = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('terms'),
    /** Limit of buckets; those of the most documents are kept. */
    size: z.int().min(1).max(1000).exactOptional(),
  }),
  z.strictObject({ ...common, type: z.literal('range'), ranges: z.array(rangeOf(z.number())).min(1) }),
  /** Limits are durations from now, such as `-P7D`, or dates. */
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
   * then required. `?` alone takes the query itself from the first parameter. `MEMBERS` lists the members of
   * the collection whose id is the first parameter, in their order.
   */
  query: z.string(),
  /** Whether it lists the children of a document. */
  /** The type of its saved searches, which inherits from SavedSearch; that itself when absent. */
  modelType: z.string().exactOptional(),
  predicates: z.array(predicate).exactOptional(),
  aggregates: z.array(aggregate).exactOptional(),
  /** Conditions and orders that a request activates by name. */
  quickFilters: z
    .array(
      z.strictObject({
        name: z.string(),
        /** NXQL after `WHERE`. */
        condition: z.string().exactOptional(),
        /** Precedes the order of the page provider. */
        sort: z.array(sort).exactOptional(),
      }),
    )
    .exactOptional(),
  sort: z.array(sort).exactOptional(),
  /** Whether requests may set another order; true when absent. */
  isSortable: z.boolean().exactOptional(),
  /** 50 when absent. */
  pageSize: pageSize.exactOptional(),
  /** 1000 when absent. */
  maxPageSize: pageSize.min(1).exactOptional(),
  /** The fields of the enricher `highlight` when the request names none. */
  highlight: z.array(z.string()).exactOptional(),
});

export type PageProviderDefinition = z.infer<typeof pageProviderShape>;
