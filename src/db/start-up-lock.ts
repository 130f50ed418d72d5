import type { Client } from './database.ts';
import { composed } from './statement.ts';

// The key of the advisory lock taken by the transactions that migrate the database and create stock content. Any number
// works, provided that no other program uses it on the same database.
const number = 7_115_471;

/** The SQL that waits until no other process is migrating or creating stock content. */
export const startUpLock = `SELECT pg_advisory_xact_lock(${number})`;

/** Keeps other processes from migrating and from creating stock content until the transaction ends. */
export const lockStartUp = async ({ query }: Client): Promise<void> =>
  void (await query(composed(startUpLock), []));
