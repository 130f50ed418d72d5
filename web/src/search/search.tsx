import { FileDown, SearchX } from 'lucide-react';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { Input, SearchField, type Selection } from 'react-aria-components';
import { useSearchParams } from 'react-router';
import { useSession } from '../app/session.ts';
import { useTitle } from '../app/title.ts';
import { findDocuments } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { runBulk } from '../listing/bulk.ts';
import { DocumentTable } from '../listing/document-table.tsx';
import { ListTools } from '../listing/list-tools.tsx';
import { useRowDrags } from '../listing/moving.ts';
import { nameText } from '../listing/path-text.ts';
import { rowsOf } from '../listing/selection.ts';
import { SelectionBar } from '../listing/selection-bar.tsx';
import { type Sort, sortVariables } from '../listing/sorting.ts';
import { Button } from '../parts/button.tsx';
import { Chips } from '../parts/chips.tsx';
import { Select } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { exactTotal, totalText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { useName, useNames } from '../values/names.ts';
import { Facets } from './facets.tsx';
import {
  curlOf,
  graphqlOf,
  nxqlOf,
  parametersOf,
  readCriteria,
  type SearchCriteria,
  writeCriteria,
} from './query.ts';
import { QueryMenu } from './query-menu.tsx';
import { provider, SavedSearches } from './saved-searches.tsx';
import { SuggestedDocuments } from './suggested-documents.tsx';

const pageSize = 50;

function useResults(criteria: SearchCriteria) {
  const { sort } = criteria;
  const variables = {
    pageSize,
    withFacets: true,
    parameters: parametersOf(criteria),
    quickFilters: [...criteria.filters],
    ...sortVariables(sort),
  };
  // Facets are requested only with the first page, because the database computes them again for every request.
  return usePages(findDocuments, variables, (data) => data.pageProvider.documents, {
    later: { withFacets: false },
  });
}

const sorts = {
  '': { label: 'search.relevance', sort: undefined },
  'dc:modified': { label: 'search.newest', sort: { column: 'dc:modified', direction: 'descending' } },
  'dc:title': { label: 'search.title', sort: { column: 'dc:title', direction: 'ascending' } },
} as const;

/** Lets the user choose the sort order of the results. The column headers of the table also change it. */
function SortChoice({
  sort,
  onChange,
}: {
  readonly sort: Sort | undefined;
  readonly onChange: (sort?: Sort) => void;
}) {
  const column = String(sort?.column ?? '');
  return (
    <div className="sort-choice">
      <Select
        label={text('search.sort')}
        value={column in sorts ? column : null}
        onChange={(chosen) => onChange(sorts[chosen as keyof typeof sorts].sort)}
        options={Object.entries(sorts).map(([id, { label }]) => ({ id, label: text(label) }))}
      />
    </div>
  );
}

/** The criteria that are not facets: the folder to which the search is limited, and who has worked on the documents. */
const limits = ['ecm_path', 'dc_contributors'] as const;

/** Shows the folder and the people to which the search is limited, each with a button that removes the limit. */
function Limits({
  criteria: { chosen },
  onRemove,
}: {
  readonly criteria: SearchCriteria;
  readonly onRemove: (limit: (typeof limits)[number]) => void;
}) {
  const nameOf = useNames(chosen.dc_contributors ?? []);
  const shown = {
    ecm_path: (path: string) => text('search.within', { folder: nameText(path) }),
    dc_contributors: (id: string) => text('search.by', { name: nameOf(id) }),
  };
  return limits.map((limit) => (
    <Chips
      key={limit}
      label={text('search.facets')}
      names={chosen[limit] ?? []}
      nameOf={shown[limit]}
      onRemove={() => onRemove(limit)}
    />
  ));
}

interface NothingProps {
  readonly criteria: SearchCriteria;
  /** A button that removes the filters. */
  readonly action: ReactNode;
}

/** Says that nothing was found. If the documents of a person are the only criterion, it names the person. */
function Nothing({ criteria: { words, chosen }, action }: NothingProps) {
  const { dc_contributors: [id = ''] = [], ...others } = chosen;
  const name = useName(id);
  const isOnly = words.trim() === '' && Object.values(others).every((values) => values.length === 0);
  return id && isOnly ? (
    <Empty icon={SearchX} action={action}>
      {text('search.nothingBy', { name })}
    </Empty>
  ) : (
    <Empty icon={SearchX} hint={text('search.nothingHint')} action={action}>
      {text('search.nothing')}
    </Empty>
  );
}

/**
 * The search box. Its value comes from the page's URL, which is updated with a delay, but typed text is shown
 * immediately.
 */
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
  const hasFilters = Object.values(criteria.chosen).some((values) => values.length > 0);
  const rows = rowsOf(results.entries, selected);
  const drags = useRowDrags(results.entries);
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
          {user.isAdministrator && results.first && (
            <QueryMenu
              queries={{
                'search.nxql': nxqlOf(results.first.pageProvider.query, criteria, aggregates),
                'search.graphql': graphqlOf(provider, criteria),
                'search.curl': curlOf(provider, criteria, user.id),
              }}
            />
          )}
        </div>
      </header>
      <SearchBox words={criteria.words} onChange={(words) => search({ words })} />
      <SuggestedDocuments typed={criteria.words} />
      <Limits
        criteria={criteria}
        onRemove={(limit) => search({ chosen: { ...criteria.chosen, [limit]: [] } })}
      />
      <SavedSearches criteria={criteria} />
      <div className="search-result">
        <Facets
          aggregates={documents?.aggregations ?? []}
          chosen={criteria.chosen}
          onChoose={(id, values) => search({ chosen: { ...criteria.chosen, [id]: values } })}
        />
        <div className="search-list">
          {results.error && <Failure error={results.error} />}
          <ListTools
            hasSelection={rows.length > 0}
            selectionBar={
              <SelectionBar
                key={address.toString()}
                rows={rows}
                all={{ found: all, total: exactTotal(results), selected }}
                onClear={() => setSelected(new Set())}
              />
            }
          >
            <p role="status" className="hint">
              {results.first && text('search.count', { count: total })}
            </p>
            <SortChoice sort={criteria.sort} onChange={(sort) => search({ sort })} />
          </ListTools>
          <DocumentTable
            label={text('search.result')}
            pages={results}
            selected={selected}
            onSelect={setSelected}
            hasFolders
            drags={drags}
            hasSnippets={criteria.words.trim() !== ''}
            {...(criteria.sort && { sort: criteria.sort })}
            onSort={(sort) => search({ sort })}
            empty={
              <Nothing
                criteria={criteria}
                action={
                  hasFilters && (
                    <Button onPress={() => search({ chosen: {}, filters: [] })}>
                      {text('search.removeFilters')}
                    </Button>
                  )
                }
              />
            }
          />
        </div>
      </div>
    </div>
  );
}
