import { print, stripIgnoredCharacters } from 'graphql';
import type { Mask } from './mask.ts';
import type { RecordedOperation } from './record.ts';

/** The maximum length of a URL. Node and proxies reject longer ones. */
const maxUrlLength = 8_000;

/** Returns the URL that opens an operation in GraphiQL; null if the URL would be too long. */
function explorerAddress(graphqlUrl: string, query: string, variables: unknown): string | null {
  const addressOf = (text: string) =>
    `${graphqlUrl}?${new URLSearchParams({ query: text, variables: JSON.stringify(variables) })}`;
  const addresses = [query, stripIgnoredCharacters(query)].map(addressOf);
  return addresses.find(({ length }) => length <= maxUrlLength) ?? null;
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;

/**
 * Describes a GraphQL operation that an explained call has run.
 * @param graphqlUrl undefined if GraphiQL is disabled
 */
export function operationEntry(
  { operation, inputs, milliseconds }: RecordedOperation,
  mask: Mask,
  graphqlUrl: string | undefined,
) {
  const { kind, document, constants } = operation;
  const query = print(document);
  const variables = mask('', { ...constants, ...inputs });
  return {
    kind: kind === 'query' ? 'query' : 'mutation',
    query,
    variables,
    milliseconds: rounded(milliseconds),
    explorer: graphqlUrl === undefined ? null : explorerAddress(graphqlUrl, query, variables),
  };
}

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly milliseconds: number;
  readonly rows: number | undefined;
  readonly operation: number;
  readonly extension: string | undefined;
}

export const statementEntry = ({ name, text, milliseconds, rows, operation, extension }: Statement) => ({
  operation: operation < 0 ? null : operation,
  name: name || null,
  sql: text.trim(),
  rows: rows ?? null,
  milliseconds: rounded(milliseconds),
  ...(extension !== undefined && { extension }),
});
