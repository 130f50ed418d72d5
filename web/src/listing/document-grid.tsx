import { type ReactNode, useRef } from 'react';
import {
  Checkbox,
  Collection,
  GridLayout,
  GridList,
  GridListItem,
  GridListLoadMoreItem,
  type Selection,
  Size,
  Virtualizer,
} from 'react-aria-components';
import { Link, useNavigate } from 'react-router';
import { openRowMenu, RowMenu } from '../actions/row-menu.tsx';
import type { RowFragment } from '../graphql/operations.ts';
import type { Pages } from '../graphql/pages.ts';
import { useKeptScroll } from '../parts/kept-scroll.ts';
import { Loading } from '../parts/states.tsx';
import { addressOf } from './address.ts';
import { DragHandle } from './drag-handle.tsx';
import { DocumentIcon } from './icon.tsx';
import { keepFromRow } from './keep-from-row.ts';
import type { useRowDrags } from './moving.ts';
import { useRowKeys } from './row-keys.ts';
import { Thumbnail } from './thumbnail.tsx';

const layoutOptions = {
  minItemSize: new Size(150, 176),
  maxItemSize: new Size(230, 256),
  minSpace: new Size(12, 12),
  preserveAspectRatio: false,
};

interface DocumentGridProps {
  readonly label: string;
  readonly pages: Pages<RowFragment>;
  readonly selected: Selection;
  readonly onSelect: (selected: Selection) => void;
  readonly drags?: ReturnType<typeof useRowDrags> | undefined;
  readonly empty: ReactNode;
}

/**
 * A grid with pictures of documents. The grid can be of any length, because pictures are loaded as the user scrolls.
 */
export function DocumentGrid({ label, pages, selected, onSelect, drags, empty }: DocumentGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useKeptScroll(grid, label, !pages.isLoading);
  const select = useRowKeys({ list: grid, entries: pages.entries, selected, onSelect });
  return (
    <Virtualizer layout={GridLayout} layoutOptions={layoutOptions}>
      <GridList
        ref={grid}
        aria-label={label}
        layout="grid"
        className="table document-grid"
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={select}
        onContextMenu={openRowMenu}
        onAction={(key) => {
          const row = pages.entries.find(({ uid }) => uid === key);
          if (row) void navigate(addressOf(row));
        }}
        {...(drags && { dragAndDropHooks: drags })}
        renderEmptyState={() => (pages.isLoading ? <Loading /> : empty)}
      >
        <Collection items={pages.entries}>
          {(row) => (
            <GridListItem id={row.uid} textValue={row.title} className="tile">
              <Thumbnail row={row} iconSize={48} />
              <span className="tile-foot">
                <DocumentIcon {...row} />
                <Link
                  to={addressOf(row)}
                  className="ellipsis title-link"
                  draggable={false}
                  tabIndex={-1}
                  {...keepFromRow}
                >
                  {row.title}
                </Link>
              </span>
              <RowMenu document={row} />
              {drags && <DragHandle />}
              <Checkbox slot="selection" className="checkbox">
                <span className="box" aria-hidden />
              </Checkbox>
            </GridListItem>
          )}
        </Collection>
        <GridListLoadMoreItem
          onLoadMore={pages.loadMore}
          isLoading={pages.isLoadingMore}
          className="load-more"
        >
          <Loading />
        </GridListLoadMoreItem>
      </GridList>
    </Virtualizer>
  );
}
