import type { FoundAggregate } from '../loaders/aggregates.ts';
import { usualSize } from '../model/page-provider-definitions.ts';
import { referredId } from '../model/references.ts';
import type { Bucket } from '../query/provider-aggregates.ts';
import { builder, Documents } from './builder.ts';
import { Reference, resolveReference } from './reference.ts';

/** A bucket, and the property whose values its key is one of. */
type ShownBucket = Bucket & { readonly property: string };

/** A moment as the number of its milliseconds; a number as it is. */
const asNumber = (value: number | string | undefined): number | undefined =>
  typeof value === 'string' ? Date.parse(value) : value;

const asDate = (value: number | string | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const AggregateBucket = builder.objectRef<ShownBucket>('AggregateBucket').implement({
  description: 'How many of the documents that are found have a value, or one between two others.',
  fields: (t) => ({
    key: t.exposeString('key'),
    docCount: t.exposeInt('docCount'),
    from: t.float({
      nullable: true,
      description: 'The first value that is in it; of a date, in milliseconds since 1970.',
      resolve: ({ from }) => asNumber(from),
    }),
    to: t.float({
      nullable: true,
      description: 'The first value that is not in it any more.',
      resolve: ({ to }) => asNumber(to),
    }),
    fromAsDate: t.string({ nullable: true, resolve: ({ from }) => asDate(from) }),
    toAsDate: t.string({ nullable: true, resolve: ({ to }) => asDate(to) }),
    reference: t.field({
      type: Reference,
      nullable: true,
      description: 'What the key stands for, where the values of the property stand for something.',
      resolve: ({ key, property }, _, context) => {
        const to = context.model.property(property)?.refersTo;
        return to ? resolveReference({ at: [], to, id: referredId(to, key) }, context) : undefined;
      },
    }),
  }),
});

/** The buckets, and behind them those that are selected and hold nothing. */
function withSelected({ buckets, selected }: FoundAggregate): readonly Bucket[] {
  const keys = new Set(buckets.map(({ key }) => key));
  const empty = selected.filter((key) => !keys.has(key));
  return [...buckets, ...empty.map((key) => ({ key, docCount: 0 }))];
}

const settingsOf = ({ definition }: FoundAggregate): Record<string, string> => {
  if (definition.type === 'terms') return { size: String(definition.size ?? usualSize) };
  return 'interval' in definition ? { interval: String(definition.interval) } : {};
};

const shown =
  ({ definition: { property } }: FoundAggregate) =>
  (bucket: Bucket): ShownBucket => ({ ...bucket, property: property.replace('/*', '') });

/** §4.7: how many of the documents that a page provider finds have which values. */
const Aggregate = builder.objectRef<FoundAggregate>('Aggregate').implement({
  description: 'How many of the documents that a page provider finds have which values of a property.',
  fields: (t) => ({
    id: t.string({ resolve: ({ definition }) => definition.id }),
    field: t.string({
      description: 'The property, with dots where its xpath has slashes.',
      resolve: ({ definition }) => definition.property.replaceAll('/', '.'),
    }),
    properties: t.field({ type: 'JSON', resolve: settingsOf }),
    ranges: t.field({
      type: 'JSON',
      resolve: ({ definition }) => (definition.type === 'range' ? definition.ranges : []),
    }),
    selection: t.stringList({ resolve: ({ selected }) => [...selected] }),
    type: t.string({ resolve: ({ definition }) => definition.type }),
    buckets: t.field({
      type: [AggregateBucket],
      complexity: { multiplier: 10 },
      resolve: (found) => found.buckets.map(shown(found)),
    }),
    extendedBuckets: t.field({
      type: [AggregateBucket],
      description: 'The buckets, and behind them those that are selected and hold nothing.',
      complexity: { multiplier: 10 },
      resolve: (found) => withSelected(found).map(shown(found)),
    }),
  }),
});

const QuickFilter = builder
  .objectRef<{ readonly name: string; readonly isActive: boolean }>('QuickFilter')
  .implement({ fields: (t) => ({ name: t.exposeString('name'), active: t.exposeBoolean('isActive') }) });

builder.objectFields(Documents, (t) => ({
  quickFilters: t.field({
    type: [QuickFilter],
    nullable: true,
    description: 'Of a page provider that has some: which of them are switched on.',
    resolve: ({ quickFilters }) => quickFilters && [...quickFilters],
  }),
  aggregations: t.field({
    type: [Aggregate],
    nullable: true,
    description: 'Of a page provider that has some, unless the request does without.',
    resolve: async ({ aggregates }, _, { options }) =>
      aggregates && !options.skipAggregates ? [...(await aggregates())] : undefined,
  }),
}));
