import { keepPreviousData } from '@tanstack/react-query';
import { Checkbox, CheckboxGroup, Label } from 'react-aria-components';
import { useAnswer } from '../graphql/client.ts';
import { type FindDocumentsQuery, titles } from '../graphql/operations.ts';
import { countText } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { userName } from '../values/names.ts';
import { entryLabel } from '../values/suggestions.ts';

type Documents = NonNullable<FindDocumentsQuery['pageProvider']['documents']>;
type Aggregate = NonNullable<Documents['aggregations']>[number];
type Bucket = Aggregate['extendedBuckets'][number];

const maxBuckets = 12;

/** The property of the facet with the folders that contain the documents. */
const folderField = 'ecm:parentId';

/** Loads the titles of the folders among the buckets, by their ids. */
function useFolderTitles(aggregates: readonly Aggregate[]): ReadonlyMap<string, string> {
  const folders = aggregates.find(({ field }) => field === folderField);
  const ids = (folders?.extendedBuckets ?? []).map(({ key }) => key).toSorted();
  const options = { enabled: ids.length > 0, placeholderData: keepPreviousData, staleTime: 60_000 };
  const { data } = useAnswer(titles, { ids }, options);
  return new Map((data?.documents ?? []).flatMap((each) => (each ? [[each.uid, each.title] as const] : [])));
}

/** The label of a bucket; undefined for a folder that the user cannot read. */
function bucketLabel(
  field: string,
  { key, reference }: Bucket,
  folders: ReadonlyMap<string, string>,
): string | undefined {
  if (field === folderField) return folders.get(key);
  if (field === 'ecm:primaryType') return textOr(`type.${key}`, key);
  if (reference?.user) return userName(key, reference.user.properties);
  if (reference?.directoryEntry) return entryLabel(key, reference.directoryEntry.properties);
  return textOr(`bucket.${key}`, key);
}

interface FacetsProps {
  readonly aggregates: readonly Aggregate[];
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  readonly onChoose: (id: string, values: readonly string[]) => void;
}

/** Shows the search filters: the values of each facet, each with the number of documents that have it. */
export function Facets({ aggregates, chosen, onChoose }: FacetsProps) {
  const folders = useFolderTitles(aggregates);
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
            .map((bucket) => ({ ...bucket, label: bucketLabel(field, bucket, folders) }))
            .filter(({ label }) => label !== undefined)
            .map((bucket) => (
              <Checkbox key={bucket.key} value={bucket.key} className="checkbox">
                <span className="box" aria-hidden />
                <span className="ellipsis">{bucket.label}</span>
                <span className="hint">{countText(bucket.docCount)}</span>
              </Checkbox>
            ))}
        </CheckboxGroup>
      ))}
    </aside>
  );
}
