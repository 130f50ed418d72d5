import type { Client } from '../../db/database.ts';
import type { RowOf } from '../../db/statement.ts';
import { statement } from '../../db/statement.ts';

// Everything is readable without special privileges, except that the transactions of other users are hidden. The
// functions that measure the WAL fail on a replica, so they are not called there.
const stateQuery = statement('database-state', {
  version: 'int4',
  encoding: 'text',
  maxConnections: 'int4',
  fsync: 'bool',
  fullPageWrites: 'bool',
  synchronousCommit: 'text',
  autovacuum: 'bool',
  sharedBuffers: 'float8',
  size: 'float8',
  oldestXid: 'int4',
  oldestTransaction: 'float8',
  unusedSlot: 'text?',
  unusedSlotBytes: 'float8',
})`
  SELECT current_setting('server_version_num')::int AS version,
    (SELECT pg_encoding_to_char(encoding)::text FROM pg_database WHERE datname = current_database()) AS encoding,
    current_setting('max_connections')::int AS "maxConnections",
    current_setting('fsync')::bool AS fsync,
    current_setting('full_page_writes')::bool AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit",
    current_setting('autovacuum')::bool AS autovacuum,
    pg_size_bytes(current_setting('shared_buffers'))::float AS "sharedBuffers",
    pg_database_size(current_database())::float AS size,
    (SELECT max(age(datfrozenxid)) FROM pg_database) AS "oldestXid",
    coalesce((
      SELECT max(extract(epoch FROM clock_timestamp() - xact_start)) FROM pg_stat_activity
      WHERE datname = current_database() AND state IS NOT NULL AND state <> 'idle'
    ), 0)::float AS "oldestTransaction",
    slot.name AS "unusedSlot", coalesce(slot.bytes, 0)::float AS "unusedSlotBytes"
  FROM (SELECT) one LEFT JOIN (
    SELECT slot_name::text AS name, pg_wal_lsn_diff(
      CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn) AS bytes
    FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL ORDER BY bytes DESC LIMIT 1
  ) slot ON true`;

/** The settings and the state of a PostgreSQL server. Sizes are in bytes, durations in seconds. */
export type DatabaseState = RowOf<typeof stateQuery>;

/** Reads the settings and the state of the PostgreSQL server. */
export async function databaseState(db: Pick<Client, 'query'>): Promise<DatabaseState> {
  const [state] = await db.query(stateQuery, []);
  if (!state) throw new Error('PostgreSQL did not return its state.');
  return state;
}

const clockQuery = statement('database-clock', { now: 'float8' })`
  SELECT extract(epoch FROM clock_timestamp())::float * 1000 AS now`;

/** Returns by how many milliseconds the clock of the database is ahead of the clock of this process. */
export async function databaseClockLead(db: Pick<Client, 'query'>): Promise<number> {
  const began = Date.now();
  const [row] = await db.query(clockQuery, []);
  return (row?.now ?? began) - (began + Date.now()) / 2;
}
