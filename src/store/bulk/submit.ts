import { Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import { queryOfProvider } from '../../loaders/search/provider-query.ts';
import { type QueryInput, readDocumentQuery, requireDocuments } from '../../query/read-query.ts';
import { type BulkCommandRow, submitBulkCommand } from './commands.ts';

interface BulkActionInput extends QueryInput {
  readonly action: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The name of a page provider, as an alternative to a query. */
  readonly provider?: string | null | undefined;
  readonly quickFilters?: readonly string[] | null | undefined;
}

/**
 * Starts a bulk action on the documents that a query or page provider finds.
 * @throws Invalid, NotFound, TooManyRequests
 */
export async function submitBulkAction(
  context: Context,
  { action, parameters, provider, quickFilters, ...input }: BulkActionInput,
): Promise<BulkCommandRow> {
  if (!provider && !input.query) throw new Invalid('query: a bulk action needs a query or a page provider');
  const query = provider
    ? requireDocuments(
        await queryOfProvider(context, provider, {
          named: input.named ?? {},
          positional: (input.positional ?? []).map(String),
          quickFilters: quickFilters ?? [],
        }),
      )
    : await readDocumentQuery(context, input);
  return submitBulkCommand(context, { action, parameters, query });
}
