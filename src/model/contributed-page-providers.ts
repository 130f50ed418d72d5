import { z } from 'zod';
import { intervals, operators, type PageProviderDefinition } from './page-provider-definitions.ts';

const sort = z.array(z.strictObject({ property: z.string(), order: z.enum(['asc', 'desc']) }));

const parameter = z.union([z.string(), z.int().min(1), z.tuple([z.string(), z.string()])]);

const common = { id: z.string(), property: z.string() };

const aggregate = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('terms'),
    size: z.int().min(1).max(1000).exactOptional(),
  }),
  z.strictObject({
    ...common,
    type: z.literal('range'),
    ranges: z
      .array(
        z.strictObject({
          key: z.string(),
          from: z.number().exactOptional(),
          to: z.number().exactOptional(),
        }),
      )
      .min(1),
  }),
  z.strictObject({
    ...common,
    type: z.literal('date_range'),
    ranges: z
      .array(
        z.strictObject({
          key: z.string(),
          from: z.string().exactOptional(),
          to: z.string().exactOptional(),
        }),
      )
      .min(1),
  }),
  z.strictObject({ ...common, type: z.literal('histogram'), interval: z.number().positive() }),
  z.strictObject({ ...common, type: z.literal('date_histogram'), interval: z.enum(intervals) }),
]);

const pageSize = z.int().min(0).max(1000);

/** The page providers of a file of MODEL_DIR. */
export const pageProvidersShape: z.ZodType<readonly PageProviderDefinition[]> = z.array(
  z.strictObject({
    name: z.string(),
    query: z.string(),
    predicates: z
      .array(z.strictObject({ parameter, property: z.string(), operator: z.enum(operators) }))
      .exactOptional(),
    aggregates: z.array(aggregate).exactOptional(),
    quickFilters: z
      .array(
        z.strictObject({
          name: z.string(),
          condition: z.string().exactOptional(),
          sort: sort.exactOptional(),
        }),
      )
      .exactOptional(),
    sort: sort.exactOptional(),
    isSortable: z.boolean().exactOptional(),
    pageSize: pageSize.exactOptional(),
    maxPageSize: pageSize.min(1).exactOptional(),
    highlight: z.array(z.string()).exactOptional(),
  }),
);
