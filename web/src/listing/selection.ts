import type { Selection } from 'react-aria-components';
import { refresh } from '../graphql/client.ts';
import type { RowFragment } from '../graphql/operations.ts';
import { notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';

/** Returns the selected rows. If all results are selected, these are the rows that are loaded. */
export const rowsOf = (entries: readonly RowFragment[], selected: Selection): readonly RowFragment[] =>
  selected === 'all' ? entries : entries.filter(({ uid }) => selected.has(uid));

/** The number of documents that are changed at the same time. */
const concurrency = 4;

interface Titled {
  readonly title: string;
}

type Work<Row> = (row: Row) => Promise<unknown>;

/** Runs an action for each document. @returns the documents for which it succeeded, and a line for each failure */
async function runEach<Row extends Titled>(rows: readonly Row[], work: Work<Row>) {
  const worked: Row[] = [];
  const failed: string[] = [];
  const left = [...rows];
  const take = async (): Promise<void> => {
    for (let row = left.shift(); row; row = left.shift()) {
      const current = row;
      await work(current).then(
        () => worked.push(current),
        (error: Error) => failed.push(`${current.title}: ${error.message}`),
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, take));
  await refresh();
  return { worked, failed };
}

/**
 * Runs an action for each document separately, so that one failure does not affect the others. A notification lists the
 * documents that failed, with the reasons.
 * @param undo reverses the action for a document. The notification offers it for the documents whose action succeeded.
 */
export async function withEach<Row extends Titled>(
  rows: readonly Row[],
  work: Work<Row>,
  done: string,
  undo?: Work<Row>,
): Promise<void> {
  const { worked, failed } = await runEach(rows, work);
  if (worked.length > 0)
    notify({
      kind: 'done',
      message: rows.length > 1 ? `${done} (${worked.length})` : done,
      ...(undo && { undo: () => withEach(worked, undo, text('done.undone')) }),
    });
  if (failed.length === 1 && rows.length === 1) notify({ kind: 'failed', message: failed.join() });
  else if (failed.length > 0)
    notify({ kind: 'failed', message: text('bulk.failed', { count: failed.length }), details: failed });
}
