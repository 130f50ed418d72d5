import type { Pages } from '../graphql/pages.ts';
import { text } from '../texts/text.ts';
import { Button } from './button.tsx';

/** The button that loads the next page of a list. */
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
