import { isTransactionConflict, translateDatabaseError } from '../../db/errors.ts';
import { statement } from '../../db/statement.ts';
import { AppError, type ErrorCode, NotFound } from '../../errors.ts';
import type { BulkCommand } from '../../generated/prisma/client.ts';
import type { Context } from '../../loaders/context.ts';
import { queryCompiler, searchView } from '../../loaders/search/search-view.ts';
import type { Query } from '../../query/ast.ts';
import { SqlParameters } from '../../query/parameters.ts';
import { bulkActionNamed } from './actions/index.ts';

/** Documents of one transaction. */
const sliceSize = 100;

const columns = 'id, action, parameters, query, state';

type Taken = Pick<BulkCommand, 'id' | 'action' | 'parameters' | 'query' | 'state'>;

const lock = statement('lock-bulk-command')`
  SELECT ${columns} FROM bulk_command
  WHERE id = $1::uuid AND state IN ('SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING') FOR UPDATE SKIP LOCKED`;

const scroll = statement('scroll-bulk-command')`
  UPDATE bulk_command SET state = 'SCROLLING_RUNNING', scroll_started_at = clock_timestamp() WHERE id = $1::uuid`;

const start = statement('start-bulk-command')`
  UPDATE bulk_command SET attempts = 0, error = NULL, started_at = clock_timestamp(), worked_at = clock_timestamp(),
    total = n.total, state = CASE WHEN n.total = 0 THEN 'COMPLETED' ELSE 'RUNNING' END,
    ended_at = CASE WHEN n.total = 0 THEN clock_timestamp() END
  FROM (SELECT count(*)::int AS total FROM bulk_item WHERE command_id = $1::uuid) n WHERE id = $1::uuid`;

const take = statement('take-bulk-items')`
  SELECT document_id AS id FROM bulk_item WHERE command_id = $1::uuid AND error IS NULL
  ORDER BY depth, document_id LIMIT ${sliceSize}`;

const settle = statement('settle-bulk-items')`
  WITH failed AS (
    UPDATE bulk_item i SET error = f.error FROM unnest($3::uuid[], $4::text[]) AS f (id, error)
    WHERE i.command_id = $1::uuid AND i.error IS NULL AND i.document_id = f.id
  ), done AS (
    DELETE FROM bulk_item WHERE command_id = $1::uuid AND error IS NULL AND document_id = ANY($2::uuid[])
  )
  UPDATE bulk_command SET processed = processed + cardinality($2::uuid[]) + cardinality($3::uuid[]),
    skipped = skipped + $5::int, failed = failed + cardinality($3::uuid[]), attempts = 0, error = NULL,
    worked_at = clock_timestamp(), processing_millis = processing_millis + $6::int,
    state = CASE WHEN $7::boolean THEN 'COMPLETED' ELSE state END,
    ended_at = CASE WHEN $7::boolean THEN clock_timestamp() END
  WHERE id = $1::uuid`;

/** Notes the documents that the query finds for the user, parents first, in one statement. */
async function collect(context: Context, { id, query }: Taken): Promise<void> {
  const { db, load, options } = context;
  const view = searchView(context, load.access);
  const parameters = new SqlParameters([options.repository, ...view.values]);
  const { begin, foundSql } = await queryCompiler(context, load.access, view);
  const found = foundSql(query as unknown as Query, begin(parameters));
  const command = parameters.add(id, 'uuid');
  const text = `INSERT INTO bulk_item (command_id, depth, document_id)
    SELECT ${command}, cardinality(d.ancestor_ids), d.id ${found}`;
  await db.query({ name: '', text }, parameters.values);
}

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

async function workOn(context: Context, { id, action, parameters }: Taken): Promise<void> {
  const { db } = context;
  const began = performance.now();
  const { run } = bulkActionNamed(action);
  const items = await db.query<{ id: string }>(take, [id]);
  const done: string[] = [];
  const failed: Array<readonly [id: string, error: string]> = [];
  let skipped = 0;
  for (const item of items) {
    const { error, isSkipped } = await runOne(context, item.id, () => run(context, item.id, parameters));
    if (error === undefined) done.push(item.id);
    else failed.push([item.id, error]);
    if (isSkipped) skipped += 1;
  }
  const counts = [skipped, Math.round(performance.now() - began), items.length < sliceSize];
  const failures = [failed.map(([each]) => each), failed.map(([, error]) => error)];
  await db.query(settle, [id, done, ...failures, ...counts]);
}

/**
 * Takes a command one step further, in the transaction of a context of its user: to the search, to its
 * documents, or through a slice of them. Nothing is done when it has ended, or is worked on elsewhere.
 */
export async function runBulkSlice(context: Context, id: string): Promise<void> {
  const { db } = context;
  const [command] = await db.query<Taken>(lock, [id]);
  if (!command) return;
  if (command.state === 'RUNNING') return workOn(context, command);
  if (command.state === 'SCHEDULED') return void (await db.query(scroll, [id]));
  await collect(context, command);
  await db.query(start, [id]);
}
