import { Checkbox, CheckboxGroup, Label } from 'react-aria-components';
import type { FindDocumentsQuery } from '../graphql/operations.ts';
import { countText } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { entryLabel } from '../values/suggestions.ts';

type Documents = NonNullable<FindDocumentsQuery['pageProvider']['documents']>;
type Aggregate = NonNullable<Documents['aggregations']>[number];
type Bucket = Aggregate['extendedBuckets'][number];

/** Maximum number of values that are shown of a facet. */
const maxBuckets = 12;

function bucketLabel({ key, reference }: Bucket): string {
  if (reference?.directoryEntry) return entryLabel(key, reference.directoryEntry.properties);
  return textOr(`bucket.${key}`, key);
}

interface FacetsProps {
  readonly aggregates: readonly Aggregate[];
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  readonly onChoose: (id: string, values: readonly string[]) => void;
}

/** The filters of the search: the values of each facet with their numbers of documents. */
export function Facets({ aggregates, chosen, onChoose }: FacetsProps) {
  const shown = aggregates.filter(
    ({ id, extendedBuckets }) => chosen[id] || extendedBuckets.some(({ docCount }) => docCount > 0),
  );
  return (
    <aside className="facets" aria-label={text('search.facets')}>
      {shown.map(({ id, field, extendedBuckets }) => (
        <CheckboxGroup
          key={id}
          className="facet"
          value={[...(chosen[id] ?? [])]}
          onChange={(values) => onChoose(id, values)}
        >
          <Label>{textOr(`field.${field}`, textOr(`facet.${id}`, field))}</Label>
          {extendedBuckets
            .filter(({ key, docCount }) => docCount > 0 || chosen[id]?.includes(key))
            .slice(0, maxBuckets)
            .map((bucket) => (
              <Checkbox key={bucket.key} value={bucket.key} className="checkbox">
                <span className="box" aria-hidden />
                <span className="ellipsis">{bucketLabel(bucket)}</span>
                <span className="hint">{countText(bucket.docCount)}</span>
              </Checkbox>
            ))}
        </CheckboxGroup>
      ))}
    </aside>
  );
}
