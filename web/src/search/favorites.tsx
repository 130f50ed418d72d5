import { Star } from 'lucide-react';
import { favoriteDocuments } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { Empty } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { ListScreen } from './list-screen.tsx';

export function Favorites() {
  const pages = usePages(favoriteDocuments, { pageSize: 50 }, (data) => data.favoriteGetDocuments.page);
  return (
    <ListScreen
      title={text('nav.favorites')}
      pages={pages}
      empty={
        <Empty icon={Star} hint={text('favorites.hint')}>
          {text('favorites.none')}
        </Empty>
      }
    />
  );
}
