import { call, entityType, mergeSelections, type Selection } from '../../selection/selection.ts';
import { pageSelection } from '../answer/page.ts';
import { fetchProperties } from '../fetch-properties.ts';
import type { ResponseShape } from '../request/headers.ts';

const directory: Selection = {
  'entity-type': entityType,
  name: true,
  schema: true,
  idField: true,
  parent: true,
};

export const plainEntry: Selection = { 'entity-type': entityType, directoryName: true, id: true };

/** A directory entry (§2.4). */
export function entrySelection({ fetch, translate }: ResponseShape): Selection {
  const entry = { ...plainEntry, properties: call({ translate: translate.directoryentry ?? [] }) };
  const names = fetch.directoryentry ?? [];
  const added = names.map((name) => fetchProperties.directoryEntry[name]?.({ directoryEntry: entry }) ?? {});
  return mergeSelections(entry, ...added);
}

export const directoryEntities = (directoryEntry: Selection) =>
  ({
    directories: { 'entity-type': entityType, entries: directory },
    directoryEntry,
    directoryEntries: { ...pageSelection, entries: directoryEntry },
  }) satisfies Record<string, Selection>;
