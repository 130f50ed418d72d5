import type { RowFragment } from '../graphql/operations.ts';
import type { TextKey } from '../texts/text.ts';

export interface ColumnDefinition {
  /** The xpath of the property that the list is sorted by when the user sorts by this column. */
  readonly id: string;
  readonly label: TextKey;
  readonly width: `${number}fr` | number;
  readonly isSortable: boolean;
  /** Minimum width of the window, in rem, at which the column is shown. */
  readonly minWindow: number;
}

/** The folder of a document, for lists of documents from different folders. */
const folder: ColumnDefinition = {
  id: 'ecm:path',
  label: 'column.place',
  width: '2fr',
  isSortable: true,
  minWindow: 60,
};

const base: readonly ColumnDefinition[] = [
  { id: 'dc:title', label: 'column.title', width: '3fr', isSortable: true, minWindow: 0 },
  { id: 'ecm:primaryType', label: 'column.type', width: 130, isSortable: true, minWindow: 72 },
  { id: 'ecm:currentLifeCycleState', label: 'column.state', width: 110, isSortable: true, minWindow: 95 },
  { id: 'common:size', label: 'column.version', width: 90, isSortable: false, minWindow: 95 },
  { id: 'dc:lastContributor', label: 'column.contributor', width: 150, isSortable: true, minWindow: 82 },
  { id: 'dc:modified', label: 'column.modified', width: 200, isSortable: true, minWindow: 45 },
];

export const columnsOf = (hasFolder: boolean): readonly ColumnDefinition[] =>
  hasFolder ? base.toSpliced(1, 0, folder) : base;

export const propertyOf = ({ properties }: Pick<RowFragment, 'properties'>, xpath: string): unknown =>
  (properties as Record<string, unknown>)[xpath];
