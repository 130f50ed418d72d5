/** What is searched for: all of it is in the address of the page. */
export interface Asked {
  readonly words: string;
  /** Chosen values by the id of the aggregate. */
  readonly chosen: Readonly<Record<string, readonly string[]>>;
  /** Names of quick filters. */
  readonly filters: readonly string[];
  readonly sort: { readonly column: string; readonly direction: 'ascending' | 'descending' } | undefined;
}

const reserved = new Set(['words', 'filter', 'sort', 'order']);

export function readAsked(parameters: URLSearchParams): Asked {
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

export function writeAsked({ words, chosen, filters, sort }: Asked): URLSearchParams {
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

/** The last word is perhaps still being written: it stands for all that begin with it. */
export const asTyped = (words: string): string => {
  const trimmed = words.trim();
  return /[\p{L}\p{N}]$/u.test(trimmed) ? `${trimmed}*` : trimmed;
};

/** The named parameters of the page provider. */
export const parametersOf = ({ words, chosen }: Asked): Record<string, string | readonly string[]> => ({
  ...(words.trim() && { ecm_fulltext: asTyped(words) }),
  ...Object.fromEntries(Object.entries(chosen).filter(([, values]) => values.length > 0)),
});

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

interface Aggregate {
  readonly id: string;
  readonly property: string;
  readonly type: string;
}

/** The search as NXQL, as far as it has words and chosen terms; ranges are left to the page provider. */
export function nxqlOf(base: string, { words, chosen }: Asked, aggregates: readonly Aggregate[]): string {
  const terms = aggregates
    .filter(({ id, type }) => type === 'terms' && (chosen[id]?.length ?? 0) > 0)
    .map(({ id, property }) => `${property} IN (${(chosen[id] ?? []).map(quoted).join(', ')})`);
  const conditions = [...(words.trim() ? [`ecm:fulltext = ${quoted(asTyped(words))}`] : []), ...terms];
  return [base.replaceAll(/\s+/g, ' '), ...conditions].join(' AND ');
}

/** The search as an operation of GraphQL, with its variables. */
export const graphqlOf = (provider: string, asked: Asked): string =>
  `query ($parameters: JSON) {
  pageProvider(name: "${provider}") {
    documents(pageSize: 50, parameters: $parameters) {
      resultsCount
      entries { uid path title }
    }
  }
}

${JSON.stringify({ parameters: parametersOf(asked) }, null, 2)}
`;
