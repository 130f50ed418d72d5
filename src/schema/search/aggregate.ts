import { builder, Documents } from '../../graphql/builder.ts';
import type { AggregateResult } from '../../loaders/search/aggregates.ts';
import { defaultBucketCount } from '../../model/search/page-provider-definitions.ts';
import { referencedId } from '../../model/values/references.ts';
import type { Bucket } from '../../query/providers/provider-aggregates.ts';
import { Reference, resolveReference } from '../documents/reference.ts';

type ShownBucket = Bucket & { readonly property: string };

/** Converts dates to milliseconds since 1970. */
const asNumber = (value: number | string | undefined): number | undefined =>
  typeof value === 'string' ? Date.parse(value) : value;

const asDate = (value: number | string | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const AggregateBucket = builder.objectRef<ShownBucket>('AggregateBucket').implement({
  description: 'The number of documents found that have a given value, or a value within a given range.',
  fields: (t) => ({
    key: t.exposeString('key'),
    docCount: t.exposeInt('docCount'),
    from: t.float({
      nullable: true,
      description: 'The lower bound, inclusive; for dates, in milliseconds since 1970.',
      resolve: ({ from }) => asNumber(from),
    }),
    to: t.float({
      nullable: true,
      description: 'The upper bound, exclusive.',
      resolve: ({ to }) => asNumber(to),
    }),
    fromAsDate: t.string({ nullable: true, resolve: ({ from }) => asDate(from) }),
    toAsDate: t.string({ nullable: true, resolve: ({ to }) => asDate(to) }),
    reference: t.field({
      type: Reference,
      nullable: true,
      description: 'The entity that the key refers to, if it refers to one.',
      resolve: ({ key, property }, _, context) => {
        const to = context.services.model.property(property)?.refersTo;
        return to
          ? resolveReference({ path: [], target: to, id: referencedId(to, key) }, context)
          : undefined;
      },
    }),
  }),
});

/** Appends the selected buckets that contain no documents. */
function withSelected({ buckets, selected }: AggregateResult): readonly Bucket[] {
  const keys = new Set(buckets.map(({ key }) => key));
  const empty = selected.filter((key) => !keys.has(key));
  return [...buckets, ...empty.map((key) => ({ key, docCount: 0 }))];
}

const settingsOf = ({ definition }: AggregateResult): Record<string, string> => {
  if (definition.type === 'terms') return { size: String(definition.size ?? defaultBucketCount) };
  return 'interval' in definition ? { interval: String(definition.interval) } : {};
};

const shown =
  ({ definition: { property } }: AggregateResult) =>
  (bucket: Bucket): ShownBucket => ({ ...bucket, property: property.replace('/*', '') });

/** An aggregate of a search (§4.7). */
const Aggregate = builder.objectRef<AggregateResult>('Aggregate').implement({
  description: 'Counts the found documents by the values of a property.',
  fields: (t) => ({
    id: t.string({ resolve: ({ definition }) => definition.id }),
    field: t.string({
      description: 'The xpath of the property, with dots instead of slashes.',
      resolve: ({ definition }) => definition.property.replaceAll('/', '.'),
    }),
    properties: t.field({ type: 'JSON', resolve: settingsOf }),
    ranges: t.field({
      type: 'JSON',
      resolve: ({ definition }) => (definition.type === 'range' ? definition.ranges : []),
    }),
    selection: t.exposeStringList('selected'),
    type: t.string({ resolve: ({ definition }) => definition.type }),
    buckets: t.field({
      type: [AggregateBucket],
      complexity: { multiplier: 10 },
      resolve: (found) => found.buckets.map(shown(found)),
    }),
    isSampled: t.exposeBoolean('isSampled', {
      description:
        'Whether there were too many results to count. If so, the counts are estimated from a sample.',
    }),
    extendedBuckets: t.field({
      type: [AggregateBucket],
      description: 'The buckets, followed by selected buckets without documents.',
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
    description: 'Null unless the page provider has quick filters.',
    resolve: ({ quickFilters }) => quickFilters && [...quickFilters],
  }),
  aggregations: t.field({
    type: [Aggregate],
    nullable: true,
    description: 'Null unless the page provider has aggregates and the request asks for them.',
    resolve: async ({ aggregates }, _, { options }) =>
      aggregates && !options.skipAggregates ? [...(await aggregates())] : undefined,
  }),
}));
