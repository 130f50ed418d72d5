import { readSort, type Sort, writeSort } from '../listing/sorting.ts';

/** The criteria of a search. The URL of the page contains all of them. */
export interface SearchCriteria {
  readonly words: string;
  /** The chosen values of each facet, by aggregate id. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  /** The names of the chosen quick filters. */
  readonly filters: readonly string[];
  readonly sort: Sort | undefined;
}

const reserved = new Set(['words', 'filter', 'sort', 'order']);

export function readCriteria(parameters: URLSearchParams): SearchCriteria {
  const names = [...new Set(parameters.keys())].filter((name) => !reserved.has(name));
  return {
    words: parameters.get('words') ?? '',
    filters: parameters.getAll('filter'),
    chosen: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
    sort: readSort(parameters),
  };
}

export function writeCriteria({ words, chosen, filters, sort }: SearchCriteria): URLSearchParams {
  const parameters = new URLSearchParams();
  if (words) parameters.set('words', words);
  for (const filter of filters) parameters.append('filter', filter);
  for (const [name, values] of Object.entries(chosen))
    for (const value of values) parameters.append(name, value);
  if (sort) writeSort(parameters, sort);
  return parameters;
}

/**
 * Returns the full-text query for the typed words. The last word matches as a prefix, because the user may still be
 * typing it.
 */
export const prefixQuery = (words: string): string => {
  const trimmed = words.trim();
  return /[\p{L}\p{N}]$/u.test(trimmed) ? `${trimmed}*` : trimmed;
};

/** Returns the page provider's named parameters for the criteria. */
export const parametersOf = ({
  words,
  chosen,
}: SearchCriteria): Record<string, string | readonly string[]> => ({
  ...(words.trim() && { ecm_fulltext: prefixQuery(words) }),
  ...Object.fromEntries(
    Object.entries(chosen)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [name, name === 'ecm_path' ? (values[0] ?? '') : values]),
  ),
});

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

interface Aggregate {
  readonly id: string;
  readonly property: string;
  readonly type: string;
}

/**
 * Returns the search as an NXQL query. The query contains the words and the chosen terms, but not ranges, which only
 * the page provider knows.
 */
export function nxqlOf(
  base: string,
  { words, chosen }: SearchCriteria,
  aggregates: readonly Aggregate[],
): string {
  const terms = aggregates
    .filter(({ id, type }) => type === 'terms' && (chosen[id]?.length ?? 0) > 0)
    .map(({ id, property }) => `${property} IN (${(chosen[id] ?? []).map(quoted).join(', ')})`);
  const [path] = chosen.ecm_path ?? [];
  const people = chosen.dc_contributors ?? [];
  const conditions = [
    ...(words.trim() ? [`ecm:fulltext = ${quoted(prefixQuery(words))}`] : []),
    ...(path === undefined ? [] : [`ecm:path STARTSWITH ${quoted(path)}`]),
    ...(people.length > 0 ? [`dc:contributors IN (${people.map(quoted).join(', ')})`] : []),
    ...terms,
  ];
  return [base.replaceAll(/\s+/g, ' '), ...conditions].join(' AND ');
}

/** Returns the search as a GraphQL operation with variables. */
export const graphqlOf = (provider: string, criteria: SearchCriteria): string =>
  `query ($parameters: JSON) {
  pageProvider(name: "${provider}") {
    documents(pageSize: 50, parameters: $parameters) {
      resultsCount
      entries { uid path title }
    }
  }
}

${JSON.stringify({ parameters: parametersOf(criteria) }, null, 2)}
`;

const shellQuoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/** Returns the search as a shell command. */
export function curlOf(provider: string, criteria: SearchCriteria, user: string): string {
  const address = new URL(`api/v1/search/pp/${provider}/execute`, document.baseURI).href;
  const parameters = Object.entries(parametersOf(criteria)).map(([name, value]) => {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    return `  --data-urlencode ${shellQuoted(`${name}=${shown}`)}`;
  });
  return [`curl -G -u ${shellQuoted(user)} ${shellQuoted(address)}`, ...parameters].join(' \\\n');
}
