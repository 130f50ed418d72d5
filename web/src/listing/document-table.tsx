import { ArrowDown, ArrowUp, GripVertical, Lock } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import {
  Button as AriaButton,
  Cell,
  Checkbox,
  Collection,
  Column,
  Row,
  type Selection,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  TableLoadMoreItem,
  Virtualizer,
} from 'react-aria-components';
import type { RowFragment } from '../graphql/operations.ts';
import type { Pages } from '../graphql/pages.ts';
import { useMedia } from '../parts/media.ts';
import { Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { addressOf } from './address.ts';
import { type ColumnDefinition, columnsOf, propertyOf } from './columns.ts';
import { DocumentIcon } from './icon.tsx';
import type { useRowDrags } from './moving.ts';

interface DocumentTableProps {
  readonly label: string;
  readonly pages: Pages<RowFragment>;
  readonly selected: Selection;
  readonly onSelect: (selected: Selection) => void;
  readonly sort?: SortDescriptor;
  readonly onSort?: (sort: SortDescriptor) => void;
  /** Whether the table has a column for the folder of each document, as lists across folders need. */
  readonly hasFolders?: boolean;
  /** The drag-and-drop hooks of the rows; without them, rows cannot be dragged. */
  readonly drags?: ReturnType<typeof useRowDrags>;
  readonly empty: ReactNode;
}

const Box = () => (
  <Checkbox slot="selection" className="checkbox">
    <span className="box" aria-hidden />
  </Checkbox>
);

/** The button that starts dragging by keyboard; with a pointer, users drag the row itself. */
const Handle = () => (
  <AriaButton slot="drag" className="drag-handle">
    <GripVertical size={14} aria-hidden />
  </AriaButton>
);

/** The columns that fit into the width of the window. */
function useColumns(hasFolders: boolean): readonly ColumnDefinition[] {
  const room = [
    { minWindow: 95, matches: useMedia('(min-width: 95rem)') },
    { minWindow: 82, matches: useMedia('(min-width: 82rem)') },
    { minWindow: 72, matches: useMedia('(min-width: 72rem)') },
    { minWindow: 60, matches: useMedia('(min-width: 60rem)') },
    { minWindow: 45, matches: useMedia('(min-width: 45rem)') },
  ];
  const widest = room.find(({ matches }) => matches)?.minWindow ?? 0;
  // The array must keep its identity while its columns are the same: the table renders all rows anew for a new array.
  return useMemo(
    () => columnsOf(hasFolders).filter(({ minWindow }) => minWindow <= widest),
    [widest, hasFolders],
  );
}

const typeText = (type: string): string => textOr(`type.${type}`, type);

function Value({ column, row }: { readonly column: string; readonly row: RowFragment }) {
  if (column === 'dc:title')
    return (
      <span className="title-cell">
        <DocumentIcon {...row} />
        <span className="ellipsis">{row.title}</span>
        {row.lockOwner && <Lock size={14} aria-label={text('document.lockedBy', { user: row.lockOwner })} />}
      </span>
    );
  if (column === 'ecm:path')
    return (
      <span className="ellipsis" title={row.path}>
        {row.path.split('/').slice(-3, -1).filter(Boolean).join(' / ') || '/'}
      </span>
    );
  if (column === 'ecm:primaryType') return typeText(row.type);
  if (column === 'ecm:currentLifeCycleState') return textOr(`state.${row.state}`, row.state);
  if (column === 'dc:modified') return <Time at={row.lastModified} />;
  if (column === 'dc:lastContributor') return String(propertyOf(row, column) ?? '');
  return row.versionLabel ?? '';
}

/** A table of documents of any length: it loads and renders rows as the user scrolls. */
export function DocumentTable({
  label,
  pages,
  selected,
  onSelect,
  sort,
  onSort,
  hasFolders = false,
  drags,
  empty,
}: DocumentTableProps) {
  const shown = useColumns(hasFolders);
  return (
    <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight: 44, headingHeight: 36 }}>
      <Table
        aria-label={label}
        className="table"
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={onSelect}
        {...(sort && { sortDescriptor: sort })}
        {...(onSort && { onSortChange: onSort })}
        {...(drags && { dragAndDropHooks: drags })}
      >
        <TableHeader className="table-head">
          <Column width={44} minWidth={44} className="column">
            <Box />
          </Column>
          {shown.map(({ id, label: key, width, isSortable }) => (
            <Column
              key={id}
              id={id}
              isRowHeader={id === 'dc:title'}
              allowsSorting={isSortable && onSort !== undefined}
              width={width}
              minWidth={id === 'dc:title' ? 180 : 80}
              className="column"
            >
              {({ sortDirection }) => (
                <>
                  {text(key)}
                  {sortDirection === 'ascending' && <ArrowUp size={14} aria-hidden />}
                  {sortDirection === 'descending' && <ArrowDown size={14} aria-hidden />}
                </>
              )}
            </Column>
          ))}
        </TableHeader>
        <TableBody renderEmptyState={() => (pages.isLoading ? <Loading /> : empty)}>
          <Collection items={pages.entries} dependencies={[shown]}>
            {(row) => (
              <Row id={row.uid} href={addressOf(row)} textValue={row.title} className="row">
                <Cell className="cell">
                  {drags && <Handle />}
                  <Box />
                </Cell>
                {shown.map(({ id }) => (
                  <Cell key={id} className="cell">
                    <Value column={id} row={row} />
                  </Cell>
                ))}
              </Row>
            )}
          </Collection>
          <TableLoadMoreItem
            onLoadMore={pages.loadMore}
            isLoading={pages.isLoadingMore}
            className="load-more"
          >
            <Loading />
          </TableLoadMoreItem>
        </TableBody>
      </Table>
    </Virtualizer>
  );
}
