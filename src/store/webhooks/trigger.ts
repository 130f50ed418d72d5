import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const find = statement('webhook-trigger')`
  SELECT tgenabled <> 'D' AS "isOn", EXISTS (SELECT FROM webhook WHERE is_enabled) AS "isWanted"
  FROM pg_trigger WHERE tgname = 'log_entry_webhooks' AND tgrelid = 'log_entry'::regclass`;

const patience = statement('webhook-trigger-patience')`SELECT set_config('lock_timeout', '5s', true)`;

const turn = (action: 'ENABLE' | 'DISABLE') => ({
  name: '',
  text: `ALTER TABLE log_entry ${action} TRIGGER log_entry_webhooks`,
});

/**
 * Has the trigger on when a webhook is enabled, and else off, where it costs writes nothing. Turning it waits
 * for the transactions that write log entries, those of requests beside it wait for this one.
 */
export async function turnTrigger(db: Pick<Client, 'query'>): Promise<void> {
  const [row] = await db.query<{ isOn: boolean; isWanted: boolean }>(find, []);
  if (!row || row.isOn === row.isWanted) return;
  await db.query(patience, []);
  await db.query(turn(row.isWanted ? 'ENABLE' : 'DISABLE'), []);
}
