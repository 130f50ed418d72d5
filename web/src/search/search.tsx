import { Code, FileDown, SearchX } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import {
  Button as AriaButton,
  Disclosure,
  DisclosurePanel,
  Heading,
  Input,
  SearchField,
  type Selection,
} from 'react-aria-components';
import { useSearchParams } from 'react-router';
import { useSession } from '../app/session.ts';
import { useTitle } from '../app/title.ts';
import { findDocuments } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { runBulk } from '../listing/bulk.ts';
import { DocumentTable } from '../listing/document-table.tsx';
import { rowsOf } from '../listing/selection.ts';
import { SelectionBar } from '../listing/selection-bar.tsx';
import { Button } from '../parts/button.tsx';
import { attempt } from '../parts/notices.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { exactTotal, totalText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { Facets } from './facets.tsx';
import {
  graphqlOf,
  nxqlOf,
  parametersOf,
  readCriteria,
  type SearchCriteria,
  writeCriteria,
} from './query.ts';
import { provider, SavedSearches } from './saved-searches.tsx';

const pageSize = 50;

function useResults(criteria: SearchCriteria) {
  const { sort } = criteria;
  const variables = {
    pageSize,
    withFacets: true,
    parameters: parametersOf(criteria),
    quickFilters: [...criteria.filters],
    sortBy: sort ? [sort.column] : [],
    sortOrder: sort ? [sort.direction === 'ascending' ? 'asc' : 'desc'] : [],
  };
  // Only the first page asks for facets, because the database computes them for each request.
  return usePages(findDocuments, variables, (data) => data.pageProvider.documents, {
    later: { withFacets: false },
  });
}

/** The search as a query text that users can copy into a program. */
const QueryText = ({ label, query }: { readonly label: string; readonly query: string }) => (
  <Disclosure className="disclosure">
    <Heading level={2}>
      <AriaButton slot="trigger" className="button quiet">
        <Code size={16} aria-hidden /> {label}
      </AriaButton>
    </Heading>
    <DisclosurePanel>
      <pre className="code">{query}</pre>
    </DisclosurePanel>
  </Disclosure>
);

/** The search box. It shows typed text immediately, although the address of the page, its source, changes later. */
function SearchBox({
  words,
  onChange,
}: {
  readonly words: string;
  readonly onChange: (words: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <SearchField
      className="search-words"
      aria-label={text('search.words')}
      value={typed ?? words}
      onChange={(now) => {
        setTyped(now);
        onChange(now);
      }}
      onBlur={() => setTyped(undefined)}
    >
      <Input className="input" placeholder={text('search.words')} />
    </SearchField>
  );
}

/** The search screen: a search box, filters, saved searches and the list of results. */
export function Search() {
  const [address, setAddress] = useSearchParams();
  useTitle(text('nav.search'));
  const { user } = useSession();
  const criteria = readCriteria(address);
  const [selected, setSelected] = useState<Selection>(new Set());
  const results = useResults(useDeferredValue(criteria));
  const search = (changed: Partial<SearchCriteria>) => {
    setSelected(new Set());
    setAddress(writeCriteria({ ...criteria, ...changed }), { replace: true });
  };
  const all = { provider, namedParameters: parametersOf(criteria), quickFilters: criteria.filters };
  const documents = results.first?.pageProvider.documents;
  const aggregates = (results.first?.pageProvider.aggregates ?? []) as Parameters<typeof nxqlOf>[2];
  const total = totalText(results);
  return (
    <div className="search">
      <header className="screen-head">
        <h1>{text('nav.search')}</h1>
        <div className="actions">
          <Button
            icon={FileDown}
            onPress={() => void attempt(() => runBulk(all, 'csvExport', text('search.csv')))}
          >
            {text('search.csv')}
          </Button>
        </div>
      </header>
      <SearchBox words={criteria.words} onChange={(words) => search({ words })} />
      <SavedSearches criteria={criteria} />
      <div className="search-result">
        <Facets
          aggregates={documents?.aggregations ?? []}
          chosen={criteria.chosen}
          onChoose={(id, values) => search({ chosen: { ...criteria.chosen, [id]: values } })}
        />
        <div className="search-list">
          <p role="status" className="hint">
            {results.first && text('search.count', { count: total })}
          </p>
          {results.error && <Failure error={results.error} />}
          <SelectionBar
            key={address.toString()}
            rows={rowsOf(results.entries, selected)}
            path="/"
            isTrash={false}
            all={{ found: all, total: exactTotal(results), selected }}
            onClear={() => setSelected(new Set())}
          />
          <DocumentTable
            label={text('search.result')}
            pages={results}
            selected={selected}
            onSelect={setSelected}
            hasFolders
            {...(criteria.sort && { sort: criteria.sort })}
            onSort={({ column, direction }) => search({ sort: { column: String(column), direction } })}
            empty={<Empty icon={SearchX}>{text('search.nothing')}</Empty>}
          />
          {results.first && (
            <>
              <QueryText
                label={text('search.nxql')}
                query={nxqlOf(results.first.pageProvider.query, criteria, aggregates)}
              />
              {user.isAdministrator && (
                <QueryText label={text('search.graphql')} query={graphqlOf(provider, criteria)} />
              )}
            </>
          )}
        </div>
      </div>
    </div>
  );
}
