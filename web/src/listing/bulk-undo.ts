import { send } from '../graphql/client.ts';
import { type FoundRowsQuery, foundRows } from '../graphql/operations.ts';
import type { Bulk, Found } from './bulk.ts';

/** The maximum number of documents for which a bulk action can be undone. */
const maxUndone = 1_000;

const pageSize = 200;

type Page = NonNullable<FoundRowsQuery['pageProvider']['documents']>;

/** A document as it was before a bulk action. */
export type FoundRow = Page['entries'][number];

/**
 * Reads the documents that a bulk action is about to change, so that the action can be undone. The result does not depend
 * on the change, because all of it is read before.
 * @returns undefined if there are too many
 */
export async function rowsBefore({
  provider,
  namedParameters,
  quickFilters,
}: Found): Promise<readonly FoundRow[] | undefined> {
  const rows: FoundRow[] = [];
  for (let cursor: string | null = '*'; cursor !== null && rows.length <= maxUndone; ) {
    const variables = { provider, parameters: namedParameters, quickFilters: [...quickFilters] };
    const answer: FoundRowsQuery = await send(foundRows, { ...variables, cursor, pageSize });
    const page: Page | null = answer.pageProvider.documents;
    if (!page || page.entries.length === 0) break;
    rows.push(...page.entries);
    cursor = page.nextCursor;
  }
  return rows.length > maxUndone ? undefined : rows;
}

/** The documents that a completed action has changed; undefined if the server does not list all failures. */
export function changedRows(
  rows: readonly FoundRow[],
  { status: { failures, errorCount } }: Pick<Bulk, 'status'>,
): readonly FoundRow[] | undefined {
  if (failures.length < errorCount) return undefined;
  const failed = new Set(failures.map(({ id }) => id));
  return rows.filter(({ uid }) => !failed.has(uid));
}
