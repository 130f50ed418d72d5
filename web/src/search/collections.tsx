import { Layers } from 'lucide-react';
import { readableCollections } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { sortVariables, useSort } from '../listing/sorting.ts';
import { Empty } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { ListScreen } from './list-screen.tsx';

/** All collections that the user can read. */
export function Collections() {
  const [sort, setSort] = useSort({ column: 'dc:title', direction: 'ascending' });
  const variables = { pageSize: 50, ...sortVariables(sort) };
  const pages = usePages(readableCollections, variables, (data) => data.pageProvider.documents);
  return (
    <ListScreen
      title={text('collections')}
      pages={pages}
      sort={sort}
      onSort={setSort}
      empty={
        <Empty icon={Layers} hint={text('collections.hint')}>
          {text('collections.none')}
        </Empty>
      }
    />
  );
}
