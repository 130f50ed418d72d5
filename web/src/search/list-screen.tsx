import { type ReactNode, useState } from 'react';
import type { Selection, SortDescriptor } from 'react-aria-components';
import { useTitle } from '../app/title.ts';
import type { RowFragment } from '../graphql/operations.ts';
import type { Pages } from '../graphql/pages.ts';
import type { Found } from '../listing/bulk.ts';
import { DocumentTable } from '../listing/document-table.tsx';
import { ListTools } from '../listing/list-tools.tsx';
import { useRowDrags } from '../listing/moving.ts';
import { rowsOf } from '../listing/selection.ts';
import { SelectionBar } from '../listing/selection-bar.tsx';
import { Failure } from '../parts/states.tsx';
import { exactTotal } from '../parts/time.tsx';

interface ListScreenProps {
  readonly title: string;
  readonly pages: Pages<RowFragment>;
  /** The page provider of the list; absent if the list does not support bulk actions on the whole result. */
  readonly found?: Found;
  readonly empty: ReactNode;
  readonly sort?: SortDescriptor;
  readonly onSort?: (sort: SortDescriptor) => void;
  /** Whether the documents cannot be dragged, because they are in the trash. */
  readonly isFixed?: boolean;
}

/** A screen that shows a list of documents. */
export function ListScreen({ title, pages, found, empty, sort, onSort, isFixed = false }: ListScreenProps) {
  const [selected, setSelected] = useState<Selection>(new Set());
  useTitle(title);
  const rows = rowsOf(pages.entries, selected);
  const drags = useRowDrags(pages.entries);
  return (
    <div className="list-screen">
      <header className="screen-head">
        <h1>{title}</h1>
      </header>
      {pages.error && <Failure error={pages.error} />}
      <ListTools
        hasSelection={rows.length > 0}
        selectionBar={
          <SelectionBar
            rows={rows}
            {...(found && { all: { found, total: exactTotal(pages), selected } })}
            onClear={() => setSelected(new Set())}
          />
        }
      />
      <DocumentTable
        label={title}
        pages={pages}
        selected={selected}
        onSelect={setSelected}
        hasFolders
        {...(!isFixed && { drags })}
        empty={empty}
        {...(sort && { sort })}
        {...(onSort && { onSort })}
      />
    </div>
  );
}
