import { entityType, mergeSelections, omitIfNull, type Selection } from '../../selection/selection.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

const written: Selection = {
  'entity-type': entityType,
  id: true,
  parentId: true,
  ancestorIds: true,
  author: true,
  text: true,
  creationDate: true,
  modificationDate: true,
  entityId: omitIfNull,
  origin: omitIfNull,
  entity: omitIfNull,
  resolved: omitIfNull,
  resolvedBy: omitIfNull,
  resolvedDate: omitIfNull,
  mentionsWithoutAccess: omitIfNull,
  permissions: true,
};

export function commentEntities({ fetch }: ResponseShape) {
  const added = (type: 'annotation' | 'comment') =>
    (fetch[type] ?? []).map((name) => fetchProperties[type][name] ?? {});
  const comment = mergeSelections(written, ...added('comment'));
  const annotation = mergeSelections(written, { xpath: true }, ...added('annotation'));
  return {
    comment,
    comments: { 'entity-type': entityType, totalSize: true, nextCursor: omitIfNull, entries: comment },
    annotation,
    annotations: { 'entity-type': entityType, nextCursor: omitIfNull, entries: annotation },
  } satisfies Record<string, Selection>;
}
