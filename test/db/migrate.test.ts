/** @group every-database */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Driver } from '../../src/db/driver.ts';
import { limitLockWait, untilLocked } from '../../src/db/lock-attempts.ts';
import { migrate } from '../../src/db/migrate.ts';
import { connectServer } from '../../src/db/postgres-server.ts';
import { emptyDatabase } from '../support/database.ts';

let driver: Driver;
let drop = async () => {};
beforeAll(async () => {
  const { url, database } = await emptyDatabase();
  driver = connectServer(url, 60);
  drop = () => database.close();
});
beforeEach(() => driver.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
afterAll(async () => {
  await driver.close();
  await drop();
});

const one = { name: '1_one', sql: 'CREATE TABLE one (id INTEGER); -- a comment; at its end' };
const two = { name: '2_two', sql: "CREATE TABLE two (id INTEGER);\nINSERT INTO two VALUES (2), ('2');" };
const faulty = { name: '3_faulty', sql: 'CREATE TABLE three (id INTEGER); INSERT INTO nowhere VALUES (1);' };

const ask = async (text: string) => driver.query({ name: '', text }, []);
const tables = () =>
  ask(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'",
  );

describe('migrate', () => {
  test('applies missing migrations in order and records them as Prisma Migrate does', async () => {
    expect(await migrate(driver, [one])).toEqual(['1_one']);
    expect(await migrate(driver, [one, two])).toEqual(['2_two']);
    expect(await migrate(driver, [one, two])).toEqual([]);
    const record = await ask(`
      SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count, length(id) AS id,
        started_at <= finished_at AS "isFinished"
      FROM _prisma_migrations ORDER BY started_at`);
    const row = { logs: null, rolled_back_at: null, applied_steps_count: 1, id: 36, isFinished: true };
    expect(record).toEqual([
      {
        ...row,
        migration_name: '1_one',
        checksum: 'c120ffd51a083a41de1e805f5e456e6597613e32f1fc55ff4d2dcf94e7abe7d5',
      }, // its SHA-256
      { ...row, migration_name: '2_two', checksum: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  test('rolls a failing migration back and keeps those before it', async () => {
    await expect(migrate(driver, [one, faulty, two])).rejects.toThrow(/nowhere/);
    expect(await tables()).toEqual([{ name: 'one' }]);
    expect(await ask('SELECT migration_name AS name FROM _prisma_migrations')).toEqual([{ name: '1_one' }]);
    expect(await migrate(driver, [one, two])).toEqual(['2_two']);
  });

  test('refuses a migration that was edited after it was applied, names it, and changes nothing', async () => {
    await migrate(driver, [one]);
    const edited = { ...one, sql: `${one.sql} ` };
    await expect(migrate(driver, [edited, two])).rejects.toThrow(
      'The migration 1_one was edited after this database had applied it',
    );
    expect(await tables()).toEqual([{ name: 'one' }]);
    expect(await migrate(driver, [one, two])).toEqual(['2_two']);
  });

  test('accepts a migration that was applied with other line ends', async () => {
    const windows = { ...two, sql: two.sql.replaceAll('\n', '\r\n') };
    await migrate(driver, [two]);
    expect(await migrate(driver, [windows])).toEqual([]);
    await driver.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await migrate(driver, [windows]);
    expect(await migrate(driver, [two])).toEqual([]);
  });

  test('refuses an unfinished migration, and applies it again once it is marked as rolled back', async () => {
    await migrate(driver, [one, two]);
    await ask('DROP TABLE two');
    await ask("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_two'");
    await expect(migrate(driver, [one, two])).rejects.toThrow(/migration 2_two failed/);
    await ask("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_two'");
    expect(await migrate(driver, [one, two])).toEqual(['2_two']);
  });

  test('refuses a database whose migrations need a newer build, and changes nothing', async () => {
    const newer = { name: '2_newer', sql: `-- oldest build: 0.10.0\n${two.sql}` };
    expect(await migrate(driver, [one, newer], '0.10.1')).toEqual(['1_one', '2_newer']);
    for (const build of ['0.1.0', '0.9.12'])
      await expect(migrate(driver, [one, faulty], build)).rejects.toThrow(
        `This is build ${build}, but the database is newer: its migration 2_newer needs build 0.10.0 or a later one.`,
      );
    for (const build of ['0.10.0', '0.11.0', '1.0.0'])
      expect(await migrate(driver, [one], build)).toEqual([]);
    await ask("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_newer'");
    expect(await migrate(driver, [one], '0.1.0')).toEqual([]);
  });

  test('records which builds a migration allows in databases that lack the column', async () => {
    await migrate(driver, [one]);
    await ask('ALTER TABLE _prisma_migrations DROP COLUMN oldest_build');
    await migrate(driver, [one, { name: '2_two', sql: `-- oldest build: 0.1.0\n${two.sql}` }], '0.1.0');
    const query = 'SELECT migration_name AS name, oldest_build AS build FROM _prisma_migrations ORDER BY 1';
    expect(await ask(query)).toEqual([
      { name: '1_one', build: null },
      { name: '2_two', build: '0.1.0' },
    ]);
  });

  test('does not block others while it waits for a lock, and gets the lock when it is free', async () => {
    await migrate(driver, [one]);
    const change = { name: '2_change', sql: 'ALTER TABLE one ADD COLUMN other INTEGER' };
    let attempts = 0;
    let isDone = false;
    const migrated = driver.apart(async (reader) => {
      await reader.script('BEGIN; SELECT FROM one');
      const migrating = untilLocked(() =>
        driver.exclusively(async (connection) => {
          attempts += 1;
          await connection.script(limitLockWait);
          return migrate(connection, [one, change]);
        }),
      ).finally(() => {
        isDone = true;
      });
      for (let count = 0; count < 10; count += 1) {
        await ask('SELECT FROM one');
        await delay(150);
      }
      expect([attempts, isDone]).toEqual([1, false]);
      await reader.script('COMMIT');
      return migrating;
    });
    expect(await migrated).toEqual(['2_change']);
    expect(attempts).toBe(2);
  });

  test('refuses a database with foreign tables', async () => {
    await ask('CREATE TABLE other (id INTEGER)');
    await expect(migrate(driver, [one])).rejects.toThrow(/not empty/);
    expect(await tables()).toEqual([{ name: 'other' }]);
  });
});
