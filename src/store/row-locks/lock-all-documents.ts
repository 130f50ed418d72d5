import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const query = statement('lock-all-documents')`LOCK TABLE document IN EXCLUSIVE MODE`;

/** Keeps documents as they are until the transaction ends, whose first lock it is; readers do not wait. */
export const lockAllDocuments = async (db: Pick<Client, 'query'>): Promise<void> =>
  void (await db.query(query, []));
