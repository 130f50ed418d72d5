import { randomUUID } from 'node:crypto';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { Invalid, NotFound, namedFault, TooManyRequests } from '../../errors.ts';
import type { BulkCommand } from '../../generated/prisma/client.ts';
import { bulkCommandColumns, bulkCommandRow } from '../../loaders/bulk/bulk-commands.ts';
import type { Context } from '../../loaders/context.ts';
import { queryCompiler, searchView } from '../../loaders/search/search-view.ts';
import { isUuid } from '../../model/names.ts';
import type { Query } from '../../query/ast.ts';
import { SqlParameters } from '../../query/parameters.ts';
import type { Scope } from '../../scope.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { lockPending } from '../row-locks/advisory-locks.ts';
import { bulkActionNamed } from './actions/index.ts';
import { activeStates, isActive } from './active-command.ts';

export const bulkJob = 'run-bulk-action';

/** The maximum number of one user's commands that can be waiting or running. */
const userLimit = 100;

/** The maximum number of failed documents that a status lists. */
export const listedFailures = 1_000;

export type BulkCommandRow = BulkCommand;

export interface BulkFailure {
  readonly documentId: string;
  readonly error: string | null;
  /** An `ErrorSubject` as JSON. */
  readonly errorSubject: unknown;
}

interface NewCommand {
  readonly action: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly query: Query;
}

// `submitted_at` is set from the database clock, because it is compared with the times of changes.
const insert = statement('insert-bulk-command', bulkCommandRow)`
  INSERT INTO bulk_command AS b (id, repository, username, action, parameters, query)
  VALUES ($1::uuid, $2, $3, $4, $5::jsonb, $6::jsonb) RETURNING ${bulkCommandColumns}`;

/**
 * Stores a bulk command along with the job that runs it once the transaction is committed.
 * @throws Invalid, TooManyRequests
 */
export async function submitBulkCommand(context: Context, input: NewCommand): Promise<BulkCommandRow> {
  const { db, user, options, load } = context;
  const action = bulkActionNamed(input.action);
  const parsed = action.parameters.safeParse(input.parameters);
  if (!parsed.success)
    throw new Invalid(
      parsed.error.issues
        .map(({ path, message }) => (path.length > 0 ? namedFault(path.join('.'), message) : message))
        .join('; '),
    );
  action.check?.(context, parsed.data);
  const view = searchView(context, load.access);
  const { begin, foundSql } = await queryCompiler(context, load.access, view);
  // The query is compiled here so that errors in it are reported to the caller.
  foundSql(input.query, begin(new SqlParameters([options.repository, ...view.values])));
  await lockPending(db, user.id, 'bulk actions');
  const mine = { username: user.id, state: { in: activeStates } };
  if ((await db.prisma.bulkCommand.count({ where: mine })) >= userLimit)
    throw new TooManyRequests(
      `You have ${userLimit} bulk actions in progress. Wait until one of them has ended.`,
      30,
    );
  const [command] = (await db.query(insert, [
    randomUUID(),
    options.repository,
    user.id,
    action.name,
    JSON.stringify(parsed.data),
    JSON.stringify(input.query),
  ])) as [BulkCommandRow];
  await enqueueJobs(context, [
    { kind: bulkJob, payload: { command: command.id, endedBefore: user.endedBefore } },
  ]);
  return command;
}

const whereOf = ({ user }: Pick<Scope, 'user'>, id: string) => ({
  id,
  ...(!user.isAdministrator && { username: user.id }),
});

const notThere = (id: string) => new NotFound(`There is no bulk command ${id.slice(0, 80)}.`);

/**
 * Returns a command submitted by the caller or, if the caller is an administrator, by any user.
 * @throws NotFound
 */
export async function findBulkCommand(
  scope: Pick<Scope, 'db' | 'user'>,
  id: string,
): Promise<BulkCommandRow> {
  const found = isUuid(id) && (await scope.db.prisma.bulkCommand.findFirst({ where: whereOf(scope, id) }));
  if (!found) throw notThere(id);
  return found;
}

/** The documents that a command could not change, up to `listedFailures` of them. */
export const bulkFailures = (
  { db }: Pick<Scope, 'db'>,
  { id, failed }: Pick<BulkCommandRow, 'id' | 'failed'>,
): Promise<BulkFailure[]> =>
  failed === 0
    ? Promise.resolve([])
    : db.prisma.bulkItem.findMany({
        where: { commandId: id, error: { not: null } },
        orderBy: [{ depth: 'asc' }, { documentId: 'asc' }],
        take: listedFailures,
        select: { documentId: true, error: true, errorSubject: true },
      });

const abort = statement('abort-bulk-command')`
  UPDATE bulk_command SET state = 'ABORTED', ended_at = clock_timestamp()
  WHERE id = $1::uuid AND ${isActive} AND ($2::text IS NULL OR username = $2)`;

/** Aborts a command once its current slice has ended. Does nothing if the command has ended or does not exist. */
export const endBulkCommand = async ({ db, user }: Pick<Scope, 'db' | 'user'>, id: string): Promise<void> =>
  void (await db.query(abort, [id, user.isAdministrator ? null : user.id]));

/**
 * Aborts a command and returns it.
 * @throws NotFound
 */
export async function abortBulkCommand(
  scope: Pick<Scope, 'db' | 'user'>,
  id: string,
): Promise<BulkCommandRow> {
  if (!isUuid(id)) throw notThere(id);
  await endBulkCommand(scope, id);
  return findBulkCommand(scope, id);
}

/** Deletes commands whose last slice is older than the given number of days. */
export const deleteOldBulkCommands = oldRowsDeletion({
  table: 'bulk_command',
  key: ['id'],
  since: 'worked_at',
});
