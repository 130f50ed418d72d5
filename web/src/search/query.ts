/** The criteria of a search; the address of the page contains all of them. */
export interface SearchCriteria {
  readonly words: string;
  /** The chosen values of each facet, by the id of its aggregate. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  /** Names of the chosen quick filters. */
  readonly filters: readonly string[];
  readonly sort: { readonly column: string; readonly direction: 'ascending' | 'descending' } | undefined;
}

const reserved = new Set(['words', 'filter', 'sort', 'order']);

export function readCriteria(parameters: URLSearchParams): SearchCriteria {
  const column = parameters.get('sort');
  const names = [...new Set(parameters.keys())].filter((name) => !reserved.has(name));
  return {
    words: parameters.get('words') ?? '',
    filters: parameters.getAll('filter'),
    chosen: Object.fromEntries(names.map((name) => [name, parameters.getAll(name)])),
    sort: column
      ? { column, direction: parameters.get('order') === 'descending' ? 'descending' : 'ascending' }
      : undefined,
  };
}

export function writeCriteria({ words, chosen, filters, sort }: SearchCriteria): URLSearchParams {
  const parameters = new URLSearchParams();
  if (words) parameters.set('words', words);
  for (const filter of filters) parameters.append('filter', filter);
  for (const [name, values] of Object.entries(chosen))
    for (const value of values) parameters.append(name, value);
  if (sort) {
    parameters.set('sort', sort.column);
    parameters.set('order', sort.direction);
  }
  return parameters;
}

/** The full-text query for typed words. The user may still be typing the last word, so it matches as a prefix. */
export const prefixQuery = (words: string): string => {
  const trimmed = words.trim();
  return /[\p{L}\p{N}]$/u.test(trimmed) ? `${trimmed}*` : trimmed;
};

/** The named parameters of the page provider for the criteria. */
export const parametersOf = ({
  words,
  chosen,
}: SearchCriteria): Record<string, string | readonly string[]> => ({
  ...(words.trim() && { ecm_fulltext: prefixQuery(words) }),
  ...Object.fromEntries(Object.entries(chosen).filter(([, values]) => values.length > 0)),
});

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

interface Aggregate {
  readonly id: string;
  readonly property: string;
  readonly type: string;
}

/**
 * The search as an NXQL query. It contains the words and the chosen terms, but not ranges, which only the page
 * provider knows.
 */
export function nxqlOf(
  base: string,
  { words, chosen }: SearchCriteria,
  aggregates: readonly Aggregate[],
): string {
  const terms = aggregates
    .filter(({ id, type }) => type === 'terms' && (chosen[id]?.length ?? 0) > 0)
    .map(({ id, property }) => `${property} IN (${(chosen[id] ?? []).map(quoted).join(', ')})`);
  const conditions = [...(words.trim() ? [`ecm:fulltext = ${quoted(prefixQuery(words))}`] : []), ...terms];
  return [base.replaceAll(/\s+/g, ' '), ...conditions].join(' AND ');
}

/** The search as a GraphQL operation with its variables. */
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
