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
import { type Asked, graphqlOf, nxqlOf, parametersOf, readAsked, writeAsked } from './query.ts';
import { provider, SavedSearches } from './saved-searches.tsx';

const pageSize = 50;

function useFound(asked: Asked) {
  const { sort } = asked;
  const variables = {
    pageSize,
    withFacets: true,
    parameters: parametersOf(asked),
    quickFilters: [...asked.filters],
    sortBy: sort ? [sort.column] : [],
    sortOrder: sort ? [sort.direction === 'ascending' ? 'asc' : 'desc'] : [],
  };
  // The database computes the facets anew for each page that asks for them.
  return usePages(findDocuments, variables, (data) => data.pageProvider.documents, {
    later: { withFacets: false },
  });
}

/** The search as text, for who wants to ask the same by a program. */
const AsText = ({ label, query }: { readonly label: string; readonly query: string }) => (
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

/** Shows what is typed at once: the address of the page follows later. */
function Words({ words, onChange }: { readonly words: string; readonly onChange: (words: string) => void }) {
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

/** Words, and facets that narrow what they find. */
export function Search() {
  const [address, setAddress] = useSearchParams();
  useTitle(text('nav.search'));
  const { user } = useSession();
  const asked = readAsked(address);
  const [selected, setSelected] = useState<Selection>(new Set());
  const found = useFound(useDeferredValue(asked));
  const ask = (changed: Partial<Asked>) => {
    setSelected(new Set());
    setAddress(writeAsked({ ...asked, ...changed }), { replace: true });
  };
  const all = { provider, namedParameters: parametersOf(asked), quickFilters: asked.filters };
  const documents = found.first?.pageProvider.documents;
  const aggregates = (found.first?.pageProvider.aggregates ?? []) as Parameters<typeof nxqlOf>[2];
  const total = totalText(found);
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
      <Words words={asked.words} onChange={(words) => ask({ words })} />
      <SavedSearches asked={asked} />
      <div className="search-result">
        <Facets
          aggregates={documents?.aggregations ?? []}
          chosen={asked.chosen}
          onChoose={(id, values) => ask({ chosen: { ...asked.chosen, [id]: values } })}
        />
        <div className="search-list">
          <p role="status" className="hint">
            {found.first && text('search.count', { count: total })}
          </p>
          {found.error && <Failure error={found.error} />}
          <SelectionBar
            key={address.toString()}
            rows={rowsOf(found.entries, selected)}
            path="/"
            isTrash={false}
            all={{ found: all, total: exactTotal(found), selected }}
            onClear={() => setSelected(new Set())}
          />
          <DocumentTable
            label={text('search.result')}
            pages={found}
            selected={selected}
            onSelect={setSelected}
            hasPlaces
            {...(asked.sort && { sort: asked.sort })}
            onSort={({ column, direction }) => ask({ sort: { column: String(column), direction } })}
            empty={<Empty icon={SearchX}>{text('search.nothing')}</Empty>}
          />
          {found.first && (
            <>
              <AsText
                label={text('search.nxql')}
                query={nxqlOf(found.first.pageProvider.query, asked, aggregates)}
              />
              {user.isAdministrator && (
                <AsText label={text('search.graphql')} query={graphqlOf(provider, asked)} />
              )}
            </>
          )}
        </div>
      </div>
    </div>
  );
}
