import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const query = statement('lock-all-documents')`LOCK TABLE document IN EXCLUSIVE MODE`;

/**
 * Keeps all documents unchanged until the transaction ends; they can still be read. It must be the transaction's first
 * lock.
 */
export const lockAllDocuments = async (db: Pick<Client, 'query'>): Promise<void> =>
  void (await db.query(query, []));
