import type { Client } from '../../db/database.ts';
import { composed, type Statement, statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { lockWebhooks } from '../row-locks/lock-webhooks.ts';

/** The kind of job that enables or disables the database trigger for webhooks. */
export const triggerJob = 'turn-webhook-trigger';

const find = statement('webhook-trigger', { isOn: 'bool', isWanted: 'bool' })`
  SELECT tgenabled <> 'D' AS "isOn", EXISTS (SELECT FROM webhook WHERE is_enabled) AS "isWanted"
  FROM pg_trigger WHERE tgname = 'log_entry_webhooks' AND tgrelid = 'log_entry'::regclass`;

const setLockTimeout = statement('webhook-trigger-timeout')`SELECT set_config('lock_timeout', $1, true)`;

const [enable, disable] = ['ENABLE', 'DISABLE'].map((action) =>
  composed(`ALTER TABLE log_entry ${action} TRIGGER log_entry_webhooks`),
) as [Statement, Statement];

type Db = Pick<Client, 'query'>;

const stateOf = async (db: Db) => (await db.query(find, []))[0];

/**
 * Enables the trigger if any webhook is enabled, and otherwise disables it, so that writes do not pay for it. ALTER
 * TABLE waits for transactions that write log entries, and later transactions wait for ALTER TABLE; a timeout limits
 * both.
 */
export async function turnTrigger(db: Db): Promise<void> {
  const state = await stateOf(db);
  if (!state || state.isOn === state.isWanted) return;
  // If disabling times out, nothing is lost: the trigger only takes time.
  await db.query(setLockTimeout, [state.isWanted ? '5s' : '200ms']);
  if (state.isWanted) return void (await db.query(enable, []));
  // Otherwise, a webhook enabled in the meantime would find the trigger enabled just before it is disabled.
  await lockWebhooks(db);
  if ((await stateOf(db))?.isWanted === false) await db.query(disable, []);
}

/**
 * Adds a job that enables or disables the trigger. Needed because the trigger is disabled in a restored database, and
 * still enabled after the last webhook has been deleted.
 */
export const turnTriggerLater = (scope: Pick<Scope, 'db'>): Promise<void> =>
  enqueueJobs(scope, [{ kind: triggerJob }]);
