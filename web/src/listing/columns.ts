import type { RowFragment } from '../graphql/operations.ts';
import type { TextKey } from '../texts/text.ts';

export interface ColumnDefinition {
  /** The xpath that a list is sorted by. */
  readonly id: string;
  readonly label: TextKey;
  readonly width: `${number}fr` | number;
  readonly isSortable: boolean;
  /** The narrowest window that has it, in rem. */
  readonly from: number;
}

/** Of lists whose documents lie in different folders. */
const place: ColumnDefinition = {
  id: 'ecm:path',
  label: 'column.place',
  width: '2fr',
  isSortable: true,
  from: 60,
};

const own: readonly ColumnDefinition[] = [
  { id: 'dc:title', label: 'column.title', width: '3fr', isSortable: true, from: 0 },
  { id: 'ecm:primaryType', label: 'column.type', width: 130, isSortable: true, from: 72 },
  { id: 'ecm:currentLifeCycleState', label: 'column.state', width: 110, isSortable: true, from: 95 },
  { id: 'common:size', label: 'column.version', width: 90, isSortable: false, from: 95 },
  { id: 'dc:lastContributor', label: 'column.contributor', width: 150, isSortable: true, from: 82 },
  { id: 'dc:modified', label: 'column.modified', width: 200, isSortable: true, from: 45 },
];

export const columnsOf = (hasPlaces: boolean): readonly ColumnDefinition[] =>
  hasPlaces ? own.toSpliced(1, 0, place) : own;

export const propertyOf = ({ properties }: Pick<RowFragment, 'properties'>, xpath: string): unknown =>
  (properties as Record<string, unknown>)[xpath];
