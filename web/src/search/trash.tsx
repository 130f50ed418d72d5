import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SortDescriptor } from 'react-aria-components';
import { trashedDocuments } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Empty } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { ListScreen } from './list-screen.tsx';

const found = { provider: 'default_trash_search', namedParameters: {}, quickFilters: [] };

/** All trashed documents that the user can read, from any folder. */
export function Trash() {
  const [sort, setSort] = useState<SortDescriptor>({ column: 'dc:modified', direction: 'descending' });
  const variables = {
    pageSize: 50,
    parameters: {},
    sortBy: [String(sort.column)],
    sortOrder: [sort.direction === 'ascending' ? 'asc' : 'desc'],
  };
  const pages = usePages(trashedDocuments, variables, (data) => data.pageProvider.documents);
  return (
    <ListScreen
      title={text('nav.trash')}
      pages={pages}
      isTrash
      found={found}
      sort={sort}
      onSort={setSort}
      empty={<Empty icon={Trash2}>{text('trash.none')}</Empty>}
    />
  );
}
