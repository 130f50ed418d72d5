import { fetchable } from '../../fetch/index.ts';
import {
  entityType,
  Field,
  insideDocument,
  insideUser,
  listById,
  merge,
  type Selection,
  whenSet,
} from '../../selection.ts';
import type { Shape } from '../headers.ts';

const bucket: Selection = {
  key: true,
  docCount: true,
  ...{ from: whenSet, to: whenSet, fromAsDate: whenSet, toAsDate: whenSet },
};

/** §4.7: the aggregates of a search by their ids, with what `fetch.aggregate` names. */
export function aggregationsOf(
  { fetch }: Shape,
  { directoryEntry }: { readonly directoryEntry: Selection },
): Field {
  const inside = { directoryEntry, document: insideDocument, user: insideUser };
  const fetched = (fetch.aggregate ?? []).map((name) => fetchable.aggregate[name]?.(inside) ?? {});
  const buckets = merge(bucket, ...fetched);
  const of: Selection = {
    'entity-type': entityType,
    ...{ id: true, field: true, properties: true, ranges: true, selection: true, type: true },
    ...{ buckets, extendedBuckets: buckets },
  };
  return listById(of);
}

/** What a page provider looks for, and what it can be given. */
export const pageProvider: Selection = {
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

/** A page of documents that a page provider lists. */
export const foundOf = (documents: Selection, aggregations: Field): Selection => {
  const { entries, ...page } = documents;
  return {
    ...page,
    aggregations,
    quickFilters: new Field({ of: { name: true, active: true }, show: whenSet.show }),
    ...(entries && { entries }),
  };
};
