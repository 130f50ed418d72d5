import { isTransactionConflict, translateDatabaseError } from '../../db/errors.ts';
import { AppError, type ErrorCode, NotFound } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import type { ChangeAction } from './bulk-action.ts';
import type { SliceResults } from './slice-results.ts';

/** Errors that are not about the document. */
const passing: readonly ErrorCode[] = ['TIMED_OUT', 'UNAVAILABLE', 'INSUFFICIENT_STORAGE'];

interface Outcome {
  readonly isSkipped?: boolean;
  readonly error?: string;
}

/** @throws what concerns the whole slice */
function outcomeOf(context: Context, id: string, caught: unknown): Outcome {
  if (isTransactionConflict(caught)) throw caught;
  const error = translateDatabaseError(caught);
  if (error instanceof NotFound && error.message.includes(id)) return { isSkipped: true };
  if (error instanceof AppError && passing.includes(error.code)) throw error;
  if (error instanceof AppError) return { error: error.message.slice(0, 1_000) };
  context.log.error({ err: error, document: id }, 'a bulk action failed');
  return { error: 'a fault of the server, which its log describes' };
}

const plain = (text: string) => ({ name: '', text });

/** One that fails leaves the others as they are. */
async function runOne(context: Context, id: string, run: () => Promise<unknown>): Promise<Outcome> {
  const { db } = context;
  await db.query(plain('SAVEPOINT bulk_item'), []);
  try {
    await run();
    await db.query(plain('RELEASE SAVEPOINT bulk_item'), []);
    return {};
  } catch (caught) {
    const outcome = outcomeOf(context, id, caught);
    await db.query(plain('ROLLBACK TO SAVEPOINT bulk_item'), []);
    return outcome;
  } finally {
    context.reload();
  }
}

/** Changes the documents of a slice, one after the other. */
export async function changeDocuments(
  context: Context,
  { run }: ChangeAction,
  parameters: unknown,
  ids: readonly string[],
): Promise<SliceResults> {
  const done: string[] = [];
  const failed: Array<readonly [id: string, error: string]> = [];
  let skipped = 0;
  for (const id of ids) {
    const { error, isSkipped } = await runOne(context, id, () => run(context, id, parameters));
    if (error === undefined) done.push(id);
    else failed.push([id, error]);
    if (isSkipped) skipped += 1;
  }
  return { done, failed, skipped };
}
