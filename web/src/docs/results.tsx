import { useQuery } from '@tanstack/react-query';
import MiniSearch from 'minisearch';
import { Link } from 'react-router';
import { useTitle } from '../app/title.ts';
import { Loading } from '../parts/states.tsx';
import { type Found, indexOptions } from './index-options.ts';

const maxShown = 50;

/** There is an automation operation for most calls, which should come after the call itself. */
const boostDocument = (_: unknown, __: string, stored?: Record<string, unknown>): number =>
  String(stored?.title).includes(' /automation/') ? 0.3 : 1;

/** Shows the results of a search in the documentation pages and the REST reference. Words match by prefix. */
export function Results({ words }: { readonly words: string }) {
  const { data: index } = useQuery({
    queryKey: ['index'],
    queryFn: async () => {
      const { indexText } = await import('virtual:docs-index');
      return MiniSearch.loadJSON<Found>(indexText, indexOptions);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  useTitle('Search');
  const found = index?.search(words, { boostDocument });
  return (
    <article className="document">
      <h1>Search</h1>
      {found ? (
        <p role="status">{found.length === 1 ? '1 result' : `${found.length} results`}</p>
      ) : (
        <Loading />
      )}
      <ol className="results">
        {found?.slice(0, maxShown).map(({ id, title, of, start }) => (
          <li key={String(id)}>
            <Link to={String(id).replace(/^docs/, '')}>{title}</Link> <span className="hint">{of}</span>
            <p>{start}</p>
          </li>
        ))}
      </ol>
    </article>
  );
}
