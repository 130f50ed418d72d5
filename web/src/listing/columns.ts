import type { RowFragment } from '../graphql/operations.ts';
import type { TextKey } from '../texts/text.ts';

export interface ColumnDefinition {
  /** The xpath of the property by which this column sorts the list. */
  readonly id: string;
  readonly label: TextKey;
  /** The width in pixels, unless the user has changed it. The title takes the rest of the list. */
  readonly width: number;
  readonly isSortable: boolean;
  /** The lower the number, the longer the column is shown when a list becomes narrower; absent if it is not shown by default. */
  readonly rank?: number;
}

export const titleId = 'dc:title';

/** The minimum width of the title in pixels; narrower lists have fewer columns. */
export const minTitleWidth = 260;

/** The column with the folder of each document, which only lists of documents from different folders show. */
const folderId = 'ecm:path';

/** All columns after the title, in the default order. */
export const allColumns: readonly ColumnDefinition[] = [
  { id: folderId, label: 'column.place', width: 190, isSortable: true, rank: 2 },
  { id: 'ecm:primaryType', label: 'column.type', width: 130, isSortable: true, rank: 5 },
  { id: 'ecm:currentLifeCycleState', label: 'column.state', width: 110, isSortable: true, rank: 6 },
  { id: 'common:size', label: 'column.version', width: 90, isSortable: false, rank: 7 },
  { id: 'size', label: 'column.size', width: 100, isSortable: false, rank: 3 },
  { id: 'dc:lastContributor', label: 'column.contributor', width: 150, isSortable: true, rank: 4 },
  { id: 'dc:modified', label: 'column.modified', width: 190, isSortable: true, rank: 1 },
  { id: 'dc:created', label: 'field.dc:created', width: 190, isSortable: true },
  { id: 'dc:creator', label: 'field.dc:creator', width: 150, isSortable: true },
  { id: 'dc:description', label: 'field.dc:description', width: 220, isSortable: false },
];

interface Wanted {
  /** The ids of the columns that the user has chosen, in order; undefined for the default. */
  readonly chosen: readonly string[] | undefined;
  readonly widths: Readonly<Record<string, number>>;
  readonly hasFolders: boolean;
}

/** The columns after the title, in order, each with the width that the user has chosen. */
export function wantedColumns({ chosen, widths, hasFolders }: Wanted): ColumnDefinition[] {
  const byId = new Map(allColumns.map((column) => [column.id, column]));
  const wanted = chosen
    ? chosen.flatMap((id) => byId.get(id) ?? [])
    : allColumns.filter(({ rank }) => rank !== undefined);
  return wanted
    .filter(({ id }) => id !== folderId || hasFolders)
    .map((column) => ({ ...column, width: widths[column.id] ?? column.width }));
}

/**
 * The columns that fit next to the title. If there is too little room, those with the highest rank are omitted; of the
 * columns that the user has chosen, the last ones.
 */
export function fittingColumns(wanted: Wanted, room: number): readonly ColumnDefinition[] {
  const columns = wantedColumns(wanted);
  const ranked = wanted.chosen
    ? columns
    : columns.toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  let left = room - minTitleWidth;
  const fitting = new Set<string>();
  for (const { id, width } of ranked) {
    left -= width;
    if (left < 0) break;
    fitting.add(id);
  }
  return columns.filter(({ id }) => fitting.has(id));
}

export const propertyOf = ({ properties }: Pick<RowFragment, 'properties'>, xpath: string): unknown =>
  (properties as Record<string, unknown>)[xpath];
