import { ArrowDown, ArrowUp, Lock } from 'lucide-react';
import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import {
  Cell,
  Checkbox,
  Collection,
  Column,
  ColumnResizer,
  Group,
  type Key,
  ResizableTableContainer,
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
import { Link, useLocation } from 'react-router';
import { openRowMenu, RowMenu } from '../actions/row-menu.tsx';
import { useListedRows } from '../actions/subject.ts';
import { choosePreference, usePreference } from '../app/preferences.ts';
import type { RowFragment } from '../graphql/operations.ts';
import type { Pages } from '../graphql/pages.ts';
import { useKeptScroll } from '../parts/kept-scroll.ts';
import { Loading } from '../parts/states.tsx';
import { sizeText, Time } from '../parts/time.tsx';
import { useWidth } from '../parts/width.ts';
import { text, textOr } from '../texts/text.ts';
import { useName } from '../values/names.ts';
import { Person } from '../values/person.tsx';
import { addressOf } from './address.ts';
import { type ColumnDefinition, fittingColumns, minTitleWidth, propertyOf, titleId } from './columns.ts';
import { DocumentGrid } from './document-grid.tsx';
import { DragHandle } from './drag-handle.tsx';
import { DocumentIcon } from './icon.tsx';
import { keepFromRow } from './keep-from-row.ts';
import type { useRowDrags } from './moving.ts';
import { noteList } from './neighbours.tsx';
import { pathText } from './path-text.ts';
import { useRowKeys } from './row-keys.ts';
import { MarkedTitle, Snippet } from './snippet.tsx';
import { Thumbnail } from './thumbnail.tsx';
import { useViewMode, type ViewMode } from './view.ts';

interface DocumentTableProps {
  readonly label: string;
  readonly pages: Pages<RowFragment>;
  readonly selected: Selection;
  readonly onSelect: (selected: Selection) => void;
  readonly sort?: SortDescriptor;
  readonly onSort?: (sort: SortDescriptor) => void;
  /**
   * Whether to show a column with the folder of each document, which lists of documents from different folders need.
   */
  readonly hasFolders?: boolean;
  /** Whether rows have a second line with the text that matched the search. */
  readonly hasSnippets?: boolean;
  /** The drag-and-drop hooks for the rows; if absent, rows cannot be dragged. */
  readonly drags?: ReturnType<typeof useRowDrags>;
  readonly empty: ReactNode;
}

const Box = () => (
  <Checkbox slot="selection" className="checkbox">
    <span className="box" aria-hidden />
  </Checkbox>
);

/** The row height of each view mode, in pixels. */
const rowHeights: Readonly<Record<ViewMode, number>> = { compact: 32, rows: 44, thumbnails: 64, grid: 44 };

/** The width of the column with the checkboxes in pixels. */
const boxWidth = 44;

/** The width of the column with the menus of the rows in pixels. */
const menuWidth = 48;

const menuId = 'menu';

const title: ColumnDefinition = {
  id: titleId,
  label: 'column.title',
  width: minTitleWidth,
  isSortable: true,
};

const noWidths: Readonly<Record<string, number>> = {};

/** The columns that fit into the width of the list. */
function useColumns(hasFolders: boolean, room: number): readonly ColumnDefinition[] {
  const chosen = usePreference('columns');
  const widths = usePreference('widths') ?? noWidths;
  // The array keeps its identity as long as its columns are the same, because a new array makes the table render
  // all rows again.
  return useMemo(
    () => [title, ...fittingColumns({ chosen, widths, hasFolders }, room - boxWidth - menuWidth)],
    [chosen, widths, hasFolders, room],
  );
}

/**
 * The title as a link, so that users can open it in another tab. Clicking it opens the document even while other rows
 * are selected. It is not draggable, so dragging it drags the row.
 */
const TitleLink = ({ row }: { readonly row: RowFragment }) => (
  <Link to={addressOf(row)} className="ellipsis title-link" draggable={false} tabIndex={-1} {...keepFromRow}>
    <MarkedTitle row={row} />
  </Link>
);

/**
 * Finds the rows between the checkbox that was clicked last and the one that is clicked with Shift.
 * @returns undefined if the click does not select a range
 */
function rangeTo(
  { target, shiftKey }: MouseEvent,
  entries: readonly RowFragment[],
  anchor: Key | undefined,
): { readonly keys: readonly string[]; readonly clicked: string | undefined } {
  const box = (target as Element).closest('.checkbox');
  const clicked = box?.closest<HTMLElement>('[role=row]')?.dataset.key;
  const place = (key: unknown) => entries.findIndex(({ uid }) => uid === key);
  const [from, to] = [place(anchor), place(clicked)];
  if (!shiftKey || from < 0 || to < 0) return { keys: [], clicked };
  return { keys: entries.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ uid }) => uid), clicked };
}

const typeText = (type: string): string => textOr(`type.${type}`, type);

/**
 * Prevents a press of the pointer from focusing the cell. The focus would move on to the link in the cell, and the
 * browser would not start dragging the row.
 */
function keepFocusOutOfCell({ target }: PointerEvent): void {
  const cell = (target as Element).closest('.cell');
  const index = cell?.getAttribute('tabindex');
  if (!cell || index == null) return;
  cell.removeAttribute('tabindex');
  requestAnimationFrame(() => cell.setAttribute('tabindex', index));
}

const LockMark = ({ owner }: { readonly owner: string }) => (
  <Lock size={14} aria-label={text('document.lockedBy', { user: useName(owner) })} />
);

interface ValueProps {
  readonly column: string;
  readonly row: RowFragment;
  readonly hasThumbnail: boolean;
}

function Value({ column, row, hasThumbnail }: ValueProps) {
  if (column === 'dc:title')
    return (
      <span className="title-cell">
        {hasThumbnail ? <Thumbnail row={row} iconSize={26} /> : <DocumentIcon {...row} />}
        <span className="title-lines">
          <TitleLink row={row} />
          <Snippet row={row} />
        </span>
        {row.lockOwner && <LockMark owner={row.lockOwner} />}
      </span>
    );
  if (column === 'ecm:path')
    return (
      <span className="ellipsis" title={pathText(row.path)}>
        {pathText(row.path).split('/').slice(-3, -1).filter(Boolean).join(' / ') || '/'}
      </span>
    );
  if (column === 'ecm:primaryType') return typeText(row.type);
  if (column === 'ecm:currentLifeCycleState') return textOr(`state.${row.state}`, row.state);
  if (column === 'dc:modified') return <Time at={row.lastModified} />;
  if (column === 'dc:created') return <Time at={propertyOf(row, column) as string | null} />;
  if (column === 'size') return row.blob ? sizeText(row.blob.length) : '';
  if (column === 'common:size') return row.versionLabel ?? '';
  const shown = String(propertyOf(row, column) ?? '');
  const isPerson = column === 'dc:creator' || column === 'dc:lastContributor';
  return <span className="ellipsis">{isPerson && shown ? <Person id={shown} /> : shown}</span>;
}

/**
 * A table of documents. It can be of any length, because rows are loaded and rendered only as the user scrolls.
 */
export function DocumentTable({
  label,
  pages,
  selected,
  onSelect,
  sort,
  onSort,
  hasFolders = false,
  hasSnippets = false,
  drags,
  empty,
}: DocumentTableProps) {
  const [room, container] = useWidth();
  const shown = useColumns(hasFolders, room);
  const widths = usePreference('widths');
  const mode = useViewMode();
  const { pathname, search } = useLocation();
  useEffect(() => noteList(pages.entries, `${pathname}${search}`), [pages.entries, pathname, search]);
  useListedRows(pages.entries);
  const table = useRef<HTMLTableElement>(null);
  const anchor = useRef<Key>(undefined);
  useKeptScroll(table, label, !pages.isLoading);
  const select = useRowKeys({ list: table, entries: pages.entries, selected, onSelect });
  const selectRange = (event: MouseEvent) => {
    const { keys, clicked } = rangeTo(event, pages.entries, anchor.current);
    if (clicked !== undefined && !event.shiftKey) anchor.current = clicked;
    if (keys.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onSelect(selected === 'all' ? 'all' : new Set([...selected, ...keys]));
  };
  if (mode === 'grid') return <DocumentGrid {...{ label, pages, selected, onSelect, drags, empty }} />;
  const storeWidths = (sizes: ReadonlyMap<Key, unknown>) => {
    const changed = shown.flatMap(({ id, width }): Array<[string, number]> => {
      const size = sizes.get(id);
      return id !== titleId && typeof size === 'number' && size !== width ? [[id, size]] : [];
    });
    if (changed.length > 0) choosePreference('widths', { ...widths, ...Object.fromEntries(changed) });
  };
  return (
    <ResizableTableContainer ref={container} className="table-container" onResizeEnd={storeWidths}>
      <Virtualizer
        layout={TableLayout}
        layoutOptions={{
          rowHeight: hasSnippets ? rowHeights.thumbnails : rowHeights[mode],
          headingHeight: 36,
        }}
      >
        <Table
          ref={table}
          onClickCapture={selectRange}
          onContextMenu={openRowMenu}
          {...(drags && { onPointerDownCapture: keepFocusOutOfCell })}
          aria-label={label}
          className="table"
          selectionMode="multiple"
          selectedKeys={selected}
          onSelectionChange={select}
          {...(sort && { sortDescriptor: sort })}
          {...(onSort && { onSortChange: onSort })}
          {...(drags && { dragAndDropHooks: drags })}
        >
          <TableHeader className="table-head">
            <Column width={boxWidth} minWidth={boxWidth} className="column">
              <Box />
            </Column>
            {/* The name takes the focus of the header, so that Enter sorts; the arrow keys lead on to the edge, where Enter starts resizing. */}
            {shown.map(({ id, label: key, width, isSortable }) => (
              <Column
                key={id}
                id={id}
                isRowHeader={id === titleId}
                allowsSorting={isSortable && onSort !== undefined}
                defaultWidth={id === titleId ? '1fr' : width}
                minWidth={id === titleId ? 180 : 70}
                className="column"
              >
                {({ sortDirection }) => (
                  <>
                    <Group role="presentation" tabIndex={-1} className="column-name">
                      <span className="ellipsis">{text(key)}</span>
                      {sortDirection === 'ascending' && <ArrowUp size={14} aria-hidden />}
                      {sortDirection === 'descending' && <ArrowDown size={14} aria-hidden />}
                    </Group>
                    {id !== titleId && (
                      <ColumnResizer className="column-resizer" aria-label={text('columns.resize')} />
                    )}
                  </>
                )}
              </Column>
            ))}
            <Column id={menuId} width={menuWidth} minWidth={menuWidth} className="column">
              <span className="visually-hidden">{text('actions')}</span>
            </Column>
          </TableHeader>
          <TableBody renderEmptyState={() => (pages.isLoading ? <Loading /> : empty)}>
            <Collection items={pages.entries} dependencies={[shown, mode]}>
              {(row) => (
                <Row id={row.uid} href={addressOf(row)} textValue={row.title} className="row">
                  <Cell className="cell">
                    {drags && <DragHandle />}
                    <Box />
                  </Cell>
                  {shown.map(({ id }) => (
                    <Cell key={id} className="cell">
                      <Value column={id} row={row} hasThumbnail={mode === 'thumbnails'} />
                    </Cell>
                  ))}
                  <Cell className="cell menu-cell">
                    <RowMenu document={row} />
                  </Cell>
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
    </ResizableTableContainer>
  );
}
