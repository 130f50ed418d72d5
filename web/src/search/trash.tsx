import { Trash2 } from 'lucide-react';
import { trashedDocuments } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { sortVariables, useSort } from '../listing/sorting.ts';
import { Empty } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { ListScreen } from './list-screen.tsx';

const found = { provider: 'default_trash_search', namedParameters: {}, quickFilters: [] };

/** Lists all trashed documents that the user can read, from any folder. */
export function Trash() {
  const [sort, setSort] = useSort({ column: 'dc:modified', direction: 'descending' });
  const variables = {
    pageSize: 50,
    parameters: {},
    ...sortVariables(sort),
  };
  const pages = usePages(trashedDocuments, variables, (data) => data.pageProvider.documents);
  return (
    <ListScreen
      title={text('nav.trash')}
      pages={pages}
      found={found}
      isFixed
      sort={sort}
      onSort={setSort}
      empty={
        <Empty icon={Trash2} hint={text('trash.hint')}>
          {text('trash.none')}
        </Empty>
      }
    />
  );
}
