import type { Client } from './database.ts';
import { composed } from './statement.ts';

// Held by the transaction that migrates and by the one that creates stock content; any number that no other
// program uses. Not every engine has locks of a session.
const number = 7_115_471;

/** The SQL that waits until no other process migrates or creates stock content. */
export const startUpLock = `SELECT pg_advisory_xact_lock(${number})`;

/** Keeps other processes from creating stock content until the transaction ends. */
export const lockStartUp = async ({ query }: Client): Promise<void> =>
  void (await query(composed(startUpLock), []));
