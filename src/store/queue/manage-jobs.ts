import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { Job } from '../../generated/prisma/client.ts';
import type { Scope } from '../../scope.ts';

const run = statement('run-job')`
  UPDATE job SET state = 'waiting', attempts = 0, run_at = clock_timestamp()
  WHERE id = $1::bigint AND state <> 'running' RETURNING 1`;

const isId = (id: string): boolean => /^\d{1,18}$/.test(id);

/**
 * Explains why the state of a job was not changed.
 * @throws NotFound; Conflict if the job is in another state
 */
async function refuse({ db }: Pick<Scope, 'db'>, id: string, advice: string): Promise<never> {
  const where = isId(id) && { id: BigInt(id) };
  const row = where && (await db.prisma.job.findUnique({ where, select: { state: true } }));
  throw row
    ? new Conflict(`The job ${id} is ${row.state}. ${advice}`)
    : new NotFound(`There is no job ${id}.`);
}

/**
 * Makes a job run as soon as possible, and resets its number of attempts.
 * @throws NotFound, Conflict
 */
export async function runJob(scope: Pick<Scope, 'db'>, id: string): Promise<void> {
  const changed = isId(id) ? await scope.db.query(run, [id]) : [];
  if (changed.length === 0) await refuse(scope, id, 'Wait until it has ended.');
  await scope.db.announce('jobs');
}

/**
 * Deletes a job that is set aside, that is, one that has failed permanently and waits for an administrator.
 * @throws NotFound, Conflict
 */
export async function dropJob(scope: Pick<Scope, 'db'>, id: string): Promise<void> {
  const { job } = scope.db.prisma;
  const where = isId(id) && { id: BigInt(id), state: 'set-aside' };
  const { count } = where ? await job.deleteMany({ where }) : { count: 0 };
  if (count === 0) await refuse(scope, id, 'Only jobs in the state set-aside can be dropped.');
}

/** The number of jobs by kind and state. */
export async function countJobs({
  prisma,
}: Pick<Client, 'prisma'>): Promise<Array<Pick<Job, 'kind' | 'state'> & { readonly count: number }>> {
  const counts = await prisma.job.groupBy({ by: ['kind', 'state'], _count: true });
  return counts.map(({ kind, state, _count: count }) => ({ kind, state, count }));
}
