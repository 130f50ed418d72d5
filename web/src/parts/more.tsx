import type { Pages } from '../graphql/pages.ts';
import { text } from '../texts/text.ts';
import { Button } from './button.tsx';

/** The next page of a list that ends with the screen. */
export function More({ pages }: { readonly pages: Pages<unknown> }) {
  if (!pages.hasMore) return null;
  return (
    <p className="more">
      <Button onPress={pages.loadMore} isDisabled={pages.isLoadingMore}>
        {text('more')}
      </Button>
    </p>
  );
}
