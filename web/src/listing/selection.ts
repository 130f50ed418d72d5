import type { Selection } from 'react-aria-components';
import { refresh } from '../graphql/client.ts';
import type { RowFragment } from '../graphql/operations.ts';
import { notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';

/** The selected rows. If all rows are selected, these are the rows that are loaded. */
export const rowsOf = (entries: readonly RowFragment[], selected: Selection): readonly RowFragment[] =>
  selected === 'all' ? entries : entries.filter(({ uid }) => selected.has(uid));

/** Number of documents that are changed concurrently. */
const concurrency = 4;

/**
 * Runs an action for each document separately, so that one refused document does not stop the others. A notification
 * lists the titles and reasons of those that failed.
 */
export async function withEach<Row extends { readonly title: string }>(
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
  done: string,
): Promise<void> {
  const failed: string[] = [];
  const left = [...rows];
  const take = async (): Promise<void> => {
    for (let row = left.shift(); row; row = left.shift()) {
      const { title } = row;
      await work(row).catch((error: Error) => failed.push(`${title}: ${error.message}`));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, take));
  await refresh();
  const worked = rows.length - failed.length;
  if (worked > 0) notify({ kind: 'done', message: `${done} (${worked})` });
  if (failed.length > 0)
    notify({ kind: 'failed', message: text('bulk.failed', { count: failed.length }), details: failed });
}
