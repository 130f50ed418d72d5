import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import { Conflict, NotFound } from '../../errors.ts';
import type { Scope } from '../../scope.ts';

const run = statement('run-job')`
  UPDATE job SET state = 'waiting', attempts = 0, run_at = clock_timestamp()
  WHERE id = $1::bigint AND state <> 'running' RETURNING 1`;

const drop = statement('drop-job')`DELETE FROM job WHERE id = $1::bigint AND state = 'set-aside' RETURNING 1`;

const exists = statement(
  'job-exists',
  modelColumns('Job', 'state'),
)`SELECT state FROM job WHERE id = $1::bigint`;

const isId = (id: string): boolean => /^\d{1,18}$/.test(id);

/** Explains why the state of a job was not changed. @throws NotFound; Conflict for a job in another state */
async function refuse({ db }: Pick<Scope, 'db'>, id: string, advice: string): Promise<never> {
  const [row] = isId(id) ? await db.query(exists, [id]) : [];
  throw row
    ? new Conflict(`The job ${id} is ${row.state}. ${advice}`)
    : new NotFound(`There is no job ${id}.`);
}

/** Makes a job run as soon as possible, with all its attempts again. @throws NotFound, Conflict */
export async function runJob(scope: Pick<Scope, 'db'>, id: string): Promise<void> {
  const changed = isId(id) ? await scope.db.query(run, [id]) : [];
  if (changed.length === 0) await refuse(scope, id, 'Wait until it has ended.');
  await scope.db.announce('jobs');
}

/** Deletes a job that is set aside. @throws NotFound, Conflict */
export async function dropJob(scope: Pick<Scope, 'db'>, id: string): Promise<void> {
  const changed = isId(id) ? await scope.db.query(drop, [id]) : [];
  if (changed.length === 0) await refuse(scope, id, 'Only jobs that are set-aside can be dropped.');
}

const counts = statement('count-jobs', {
  ...modelColumns('Job', 'kind', 'state'),
  count: 'int4',
})`SELECT kind, state, count(*)::int AS count FROM job GROUP BY kind, state`;

/** The number of jobs of each kind and state. */
export const countJobs = (db: Pick<Client, 'query'>): Promise<RowOf<typeof counts>[]> => db.query(counts, []);
