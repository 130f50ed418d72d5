import {
  entityType,
  Field,
  listById,
  mergeSelections,
  nestedDocument,
  nestedUser,
  omitIfNull,
  type Selection,
} from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

const bucket: Selection = {
  key: true,
  docCount: true,
  from: omitIfNull,
  to: omitIfNull,
  fromAsDate: omitIfNull,
  toAsDate: omitIfNull,
};

/** §4.7: aggregates by id. `fetch.aggregate` replaces the keys of their buckets with entities. */
export function aggregationsField(
  { fetch }: ResponseShape,
  { directoryEntry }: { readonly directoryEntry: Selection },
): Field {
  const inside = { directoryEntry, document: nestedDocument, user: nestedUser };
  const fetched = (fetch.aggregate ?? []).map((name) => fetchProperties.aggregate[name]?.(inside) ?? {});
  const buckets = mergeSelections(bucket, ...fetched);
  const of: Selection = {
    'entity-type': entityType,
    id: true,
    field: true,
    properties: true,
    ranges: true,
    selection: true,
    type: true,
    isSampled: new Field({
      assign: (shown, isSampled) => {
        if (isSampled === true) shown.isSampled = true;
      },
    }),
    buckets,
    extendedBuckets: buckets,
  };
  return listById(of);
}

export const pageProviderSelection: Selection = {
  'entity-type': entityType,
  name: true,
  query: true,
  predicates: true,
  aggregates: true,
  quickFilters: true,
  sort: true,
  isSortable: true,
  pageSize: true,
  maxPageSize: true,
};

export const pageProvidersSelection: Selection = {
  'entity-type': entityType,
  entries: pageProviderSelection,
};

export const foundPageSelection = (documents: Selection, aggregations: Field): Selection => {
  const { entries, ...page } = documents;
  return {
    ...page,
    aggregations,
    quickFilters: new Field({ of: { name: true, active: true }, format: omitIfNull.format }),
    ...(entries && { entries }),
  };
};

/** A saved search (§4.7), with its fields in the reference implementation's order. */
const savedSearch: Selection = {
  'entity-type': entityType,
  id: true,
  title: true,
  queryParams: true,
  query: true,
  queryLanguage: true,
  pageProviderName: true,
  pageSize: true,
  currentPageIndex: true,
  maxResults: true,
  sortBy: true,
  sortOrder: true,
  contentViewData: true,
  params: true,
};

export const savedSearchEntities = {
  savedSearch,
  savedSearches: { ...pageSelection, entries: savedSearch },
} satisfies Record<string, Selection>;
