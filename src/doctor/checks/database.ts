import { sizeText } from '../../converters/pages/size-text.ts';
import { databaseState } from '../../store/probes/database-state.ts';
import { durationText, type Finding, foundIf, type HealthCheck } from '../check.ts';

/** The oldest supported major version of PostgreSQL. */
const minVersion = 15;

/** The connections that other programs, backups and superusers need. */
const spareConnections = 5;

/** PostgreSQL stops accepting writes at two billion transactions without a vacuum. */
const maxXidAge = 1_000_000_000;

const maxTransactionSeconds = 3_600;

/** The size of the WAL that an unused replication slot can retain before it is reported, in bytes. */
const maxSlotBytes = 5e9;

/** `shared_buffers` below this value are reported if the database is more than ten times larger. */
const smallBuffers = 256e6;

type Setting = readonly [setting: string, isWrong: boolean, reason: string];

const wrongSetting = ([setting, , reason]: Setting): Finding => ({
  level: 'fault',
  problem: `PostgreSQL runs with ${setting}.`,
  reason,
  remedy: 'Remove the setting from postgresql.conf, and restart PostgreSQL.',
});

/** Checks the PostgreSQL server: its version, its settings and its state. */
export const databaseCheck: HealthCheck = {
  name: 'database',
  opens: {
    database: {
      reason: 'The server cannot start without its database.',
      remedy: 'Start PostgreSQL, or correct DATABASE_URL.',
    },
  },
  run: async ({ config, database }) => {
    const state = await databaseState(await database());
    const { fsync, fullPageWrites, autovacuum, synchronousCommit } = state;
    const settings: readonly Setting[] = [
      ['fsync = off', !fsync, 'A crash of the machine can destroy the whole database.'],
      ['full_page_writes = off', !fullPageWrites, 'A crash of the machine can damage the database.'],
      [
        'synchronous_commit = off',
        synchronousCommit === 'off',
        'A crash of PostgreSQL loses changes that clients were told are stored.',
      ],
      ['autovacuum = off', !autovacuum, 'Tables and indexes grow, and finally all writes stop.'],
    ];
    const needed = config.DATABASE_CONNECTIONS + 3 * config.WORKERS + spareConnections;
    const major = Math.floor(state.version / 10_000);
    return foundIf(
      major < minVersion && {
        level: 'fault',
        problem: `The database is PostgreSQL ${major}.`,
        reason: `Quire needs PostgreSQL ${minVersion} or newer.`,
        remedy: 'Upgrade PostgreSQL.',
      },
      state.encoding !== 'UTF8' && {
        level: 'fault',
        problem: `The encoding of the database is ${state.encoding}.`,
        reason: 'It cannot store every text, so writes fail.',
        remedy: 'Create a database with the encoding UTF8, and restore a backup into it.',
      },
      ...settings.filter(([, isWrong]) => isWrong).map(wrongSetting),
      state.maxConnections < needed && {
        level: 'fault',
        problem: `PostgreSQL accepts ${state.maxConnections} connections, but this server can need ${needed}.`,
        reason: 'Requests fail if a connection is refused.',
        remedy: 'Increase max_connections in postgresql.conf, or decrease DATABASE_CONNECTIONS.',
      },
      state.oldestXid > maxXidAge && {
        level: 'fault',
        problem: `${state.oldestXid} transactions have passed since the oldest row was vacuumed.`,
        reason: 'PostgreSQL stops all writes at about two billion.',
        remedy: 'End old transactions, and run VACUUM FREEZE.',
      },
      state.oldestTransaction > maxTransactionSeconds && {
        level: 'advice',
        problem: `A transaction has been running for ${durationText(state.oldestTransaction)}.`,
        reason: 'Deleted rows cannot be cleaned up while it runs, so the tables grow.',
        remedy: 'Find it in pg_stat_activity. A long backup is harmless; end a forgotten session.',
      },
      state.unusedSlotBytes > maxSlotBytes && {
        level: 'fault',
        problem: `The replication slot ${state.unusedSlot} is not used and retains ${sizeText(state.unusedSlotBytes)} of WAL.`,
        reason: 'The WAL grows until the disk of PostgreSQL is full.',
        remedy: `Start the replica again, or call pg_drop_replication_slot('${state.unusedSlot}').`,
      },
      state.sharedBuffers < smallBuffers &&
        state.size > 10 * state.sharedBuffers && {
          level: 'advice',
          problem: `shared_buffers is ${sizeText(state.sharedBuffers)}, and the database has ${sizeText(state.size)}.`,
          reason: 'PostgreSQL reads from the disk what a larger cache would contain.',
          remedy: 'Set shared_buffers to a quarter of the memory of the machine.',
        },
    );
  },
};
