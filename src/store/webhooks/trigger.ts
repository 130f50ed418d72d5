import type { Client } from '../../db/database.ts';
import { composed, type Statement, statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { lockWebhooks } from '../row-locks/lock-webhooks.ts';

export const triggerJob = 'turn-webhook-trigger';

const find = statement('webhook-trigger', { isOn: 'bool', isWanted: 'bool' })`
  SELECT tgenabled <> 'D' AS "isOn", EXISTS (SELECT FROM webhook WHERE is_enabled) AS "isWanted"
  FROM pg_trigger WHERE tgname = 'log_entry_webhooks' AND tgrelid = 'log_entry'::regclass`;

const patience = statement('webhook-trigger-patience')`SELECT set_config('lock_timeout', $1, true)`;

const [enable, disable] = ['ENABLE', 'DISABLE'].map((action) =>
  composed(`ALTER TABLE log_entry ${action} TRIGGER log_entry_webhooks`),
) as [Statement, Statement];

type Db = Pick<Client, 'query'>;

const stateOf = async (db: Db) => (await db.query(find, []))[0];

/**
 * Has the trigger on when a webhook is enabled, and else off, where it costs writes nothing. Turning it waits
 * for the transactions that write log entries, those of requests beside it wait for this one.
 */
export async function turnTrigger(db: Db): Promise<void> {
  const state = await stateOf(db);
  if (!state || state.isOn === state.isWanted) return;
  // Turning it off may fail: nothing is lost.
  await db.query(patience, [state.isWanted ? '5s' : '200ms']);
  if (state.isWanted) return void (await db.query(enable, []));
  await lockWebhooks(db); // or one that is enabled meanwhile would find the trigger on
  if ((await stateOf(db))?.isWanted === false) await db.query(disable, []);
}

/** Has a job turn it: a restored database has it off, and the end of the last webhook leaves it on. */
export const turnTriggerLater = (scope: Pick<Scope, 'db'>): Promise<void> =>
  enqueueJobs(scope, [{ kind: triggerJob }]);
