import { isTransactionConflict, translateDatabaseError } from '../../db/errors.ts';
import { composed } from '../../db/statement.ts';
import { AppError, DocumentNotFound, type ErrorCode, type ErrorSubject } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import type { ChangeAction } from './bulk-action.ts';
import type { SliceResults } from './slice-results.ts';

/** The codes of errors that are caused by the state of the server rather than by the document. */
const temporaryCodes: readonly ErrorCode[] = ['TIMED_OUT', 'UNAVAILABLE', 'INSUFFICIENT_STORAGE'];

interface Outcome {
  readonly isSkipped?: boolean;
  readonly error?: string;
  readonly about?: ErrorSubject | undefined;
}

/**
 * The outcome of a change that threw an error.
 * @throws the error, if it concerns the whole slice
 */
function outcomeOf(context: Context, id: string, caught: unknown): Outcome {
  if (isTransactionConflict(caught)) throw caught;
  const error = translateDatabaseError(caught);
  if (error instanceof DocumentNotFound && error.document === id) return { isSkipped: true };
  if (error instanceof AppError && temporaryCodes.includes(error.code)) throw error;
  if (error instanceof AppError) return { error: error.message.slice(0, 1_000), about: error.about };
  context.services.log.error({ err: error, document: id }, 'A bulk action failed for a document.');
  return { error: 'Internal error. See the server log for details.' };
}

/**
 * Runs a change inside a savepoint, so that a failure leaves the rest of the transaction intact.
 * @param refuse converts an error to a result, or throws it
 */
async function attempt<Answer>(
  context: Context,
  run: () => Promise<Answer>,
  refuse: (error: unknown) => Answer,
): Promise<Answer> {
  const { db } = context;
  await db.query(composed('SAVEPOINT bulk_item'), []);
  try {
    const answer = await run();
    await db.query(composed('RELEASE SAVEPOINT bulk_item'), []);
    return answer;
  } catch (caught) {
    const answer = refuse(caught);
    await db.query(composed('ROLLBACK TO SAVEPOINT bulk_item'), []);
    await db.query(composed('RELEASE SAVEPOINT bulk_item'), []);
    return answer;
  } finally {
    context.reload();
  }
}

/**
 * Handles a failure to change many documents at once. It returns none of them as changed, so that they are then changed
 * one by one, which identifies the documents that cause errors.
 */
const oneByOne = (caught: unknown): readonly string[] => {
  if (isTransactionConflict(caught)) throw caught;
  return [];
};

/**
 * Changes the documents of a slice: as many as possible at once, if the action supports that, and the others one after
 * the other.
 * @param end the `performance.now()` after which the remaining documents are left to the next slice; at least one
 * document is always changed
 */
export async function changeDocuments(
  context: Context,
  { run, runTogether }: ChangeAction,
  parameters: unknown,
  { ids, end }: { readonly ids: readonly string[]; readonly end: number },
): Promise<SliceResults> {
  const together = runTogether
    ? await attempt(context, () => runTogether(context, ids, parameters), oneByOne)
    : [];
  const done: string[] = [...together];
  const failed: Array<SliceResults['failed'][number]> = [];
  let skipped = 0;
  const others = new Set(ids);
  for (const id of together) others.delete(id);
  for (const id of others) {
    if (done.length + failed.length > 0 && performance.now() > end) break;
    const change = async (): Promise<Outcome> => {
      await run(context, id, parameters);
      return {};
    };
    const outcome = await attempt(context, change, (caught) => outcomeOf(context, id, caught));
    const { error, about, isSkipped } = outcome;
    if (error === undefined) done.push(id);
    else failed.push([id, error, about]);
    if (isSkipped) skipped += 1;
  }
  return { done, failed, skipped };
}
