import type { Client } from '../../db/database.ts';
import { composed, type Statement, statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { lockWebhooks } from '../row-locks/lock-webhooks.ts';

/** The kind of job that enables or disables the database trigger for webhooks. */
export const triggerJob = 'turn-webhook-trigger';

const find = statement('webhook-trigger', { isOn: 'bool', isNeeded: 'bool' })`
  SELECT tgenabled <> 'D' AS "isOn", EXISTS (SELECT FROM webhook WHERE is_enabled) AS "isNeeded"
  FROM pg_trigger WHERE tgname = 'log_entry_webhooks' AND tgrelid = 'log_entry'::regclass`;

const setLockTimeout = statement('webhook-trigger-timeout')`SELECT set_config('lock_timeout', $1, true)`;

const [enable, disable] = ['ENABLE', 'DISABLE'].map((action) =>
  composed(`ALTER TABLE log_entry ${action} TRIGGER log_entry_webhooks`),
) as [Statement, Statement];

type Db = Pick<Client, 'query'>;

const stateOf = async (db: Db) => (await db.query(find, []))[0];

/**
 * Enables the trigger if any webhook is enabled, and otherwise disables it, so that it does not slow down writes. ALTER
 * TABLE waits for transactions that write log entries, and later transactions wait for ALTER TABLE; a timeout limits
 * both waits.
 */
export async function turnTrigger(db: Db): Promise<void> {
  const state = await stateOf(db);
  if (!state || state.isOn === state.isNeeded) return;
  // If disabling times out, no harm is done: the trigger only slows down writes.
  await db.query(setLockTimeout, [state.isNeeded ? '5s' : '200ms']);
  if (state.isNeeded) return void (await db.query(enable, []));
  // Without this lock, a webhook that is being enabled could still find the trigger enabled, just before it is disabled
  // here.
  await lockWebhooks(db);
  if ((await stateOf(db))?.isNeeded === false) await db.query(disable, []);
}

/**
 * Adds a job that enables or disables the trigger. The job is needed because the trigger is disabled in a restored
 * database, and still enabled after the last webhook has been deleted.
 */
export const turnTriggerLater = (scope: Pick<Scope, 'db'>): Promise<void> =>
  enqueueJobs(scope, [{ kind: triggerJob }]);
