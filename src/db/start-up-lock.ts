import type { Client } from './database.ts';
import { composed } from './statement.ts';

// The key of the advisory lock that the migrating transaction and the one that creates stock content take. Any number
// serves that no other program uses on the database.
const number = 7_115_471;

/** The SQL that waits until no other process migrates or creates stock content. */
export const startUpLock = `SELECT pg_advisory_xact_lock(${number})`;

/** Keeps other processes from migrating and from creating stock content until the transaction ends. */
export const lockStartUp = async ({ query }: Client): Promise<void> =>
  void (await query(composed(startUpLock), []));
