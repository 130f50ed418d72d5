import { AppError } from '../../errors.ts';
import type { ContributedPageProvider } from '../../extension.ts';
import { ExtensionError, inExtension } from '../../extensions/guarded.ts';
import { extensions, type LoadedExtension } from '../../extensions/loaded.ts';
import type { PageProvider } from '../../model/model.ts';
import { variablesOf } from '../../query/read-query.ts';
import type { Scope } from '../../scope.ts';

interface Found {
  readonly extension: LoadedExtension;
  readonly contributed: ContributedPageProvider;
}

function contributedProvider(name: string): Found | undefined {
  for (const extension of extensions())
    for (const contributed of extension.pageProviders ?? [])
      if (contributed.name === name) return { extension, contributed };
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parameters of a call. The id of the document in the URL precedes the positional parameters. */
interface Called {
  readonly named: Readonly<Record<string, unknown>>;
  readonly positional: readonly string[];
  readonly document?: string;
}

interface Composed {
  readonly provider: PageProvider;
  readonly parameters: Called;
}

/**
 * Lets the extension that contributes a page provider compose its query. Returns other page providers unchanged.
 * @throws AppError for a Refusal; ExtensionError if the query is not NXQL
 */
export async function composedProvider(
  scope: Scope,
  provider: PageProvider,
  parameters: Called,
): Promise<Composed> {
  const found = contributedProvider(provider.name);
  if (!found) return { provider, parameters };
  const { extension, contributed } = found;
  const { named, positional, document } = parameters;
  const part = `the page provider ${provider.name}`;
  const { parseQuery } = await import('../../query/parse.ts');
  return inExtension(scope, { extension, part }, async (context) => {
    const queryParams = [...(document === undefined ? [] : [document]), ...positional];
    const composed: unknown = await contributed.query({ parameters: named, queryParams }, context);
    if (!isObject(composed)) throw new ExtensionError('It must return an object with a query.');
    const { query, values = {} } = composed;
    if (typeof query !== 'string' || !isObject(values))
      throw new ExtensionError('It must return a query as a string, and its values as an object.');
    const all = { ...named, ...values };
    try {
      parseQuery(query, { positional: [], named: all, variables: variablesOf(scope) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new ExtensionError(`Its query is not valid: ${error.message}`);
    }
    return { provider: { ...provider, query }, parameters: { named: all, positional: [] } };
  });
}
