import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const query = statement('lock-webhooks')`LOCK TABLE webhook IN SHARE MODE`;

/** Waits for transactions that change webhooks, and blocks new ones until this transaction ends. */
export const lockWebhooks = async (db: Pick<Client, 'query'>): Promise<void> =>
  void (await db.query(query, []));
