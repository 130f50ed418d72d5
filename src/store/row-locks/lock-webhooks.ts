import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const query = statement('lock-webhooks')`LOCK TABLE webhook IN SHARE MODE`;

/** Waits for those who change webhooks, and keeps others from it until the transaction ends. */
export const lockWebhooks = async (db: Pick<Client, 'query'>): Promise<void> =>
  void (await db.query(query, []));
