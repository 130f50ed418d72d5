/** @group slow */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import { run, useProcessSettings } from '../db/processes.ts';
import { newFolder } from '../support/folder.ts';
import { untilWaiting } from '../support/until-waiting.ts';

jest.setTimeout(180_000);

const settings = useProcessSettings({ isStocked: true });
const folder = newFolder();
const whole = join(folder, 'whole.backup');

/** Looks by connections of its own: a transaction sees the others as they were at first. */
let database: Database;

async function connected(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Runs a command, and interrupts it while it waits for the documents. */
async function interrupted(args: string[]) {
  await using holding = await connected();
  await holding.query('BEGIN');
  await holding.query('LOCK TABLE document IN ACCESS EXCLUSIVE MODE');
  const { child, ended, printed } = run('src/cli/quire.ts', settings, args);
  await untilWaiting(database, 1);
  child.kill('SIGINT');
  await holding.query('ROLLBACK');
  return { ...(await ended), ...printed };
}

async function documentCount(): Promise<number> {
  await using client = await connected();
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM document');
  return rows[0]?.count ?? 0;
}

beforeAll(async () => {
  ({ database } = await openDatabase(readConfig(settings)));
  expect((await run('src/cli/quire.ts', settings, ['backup', whole]).ended).code).toBe(0);
});

afterAll(() => database.close());

describe('Ctrl+C ends, with a code of its own,', () => {
  test('a backup, which leaves no file', async () => {
    const file = join(folder, 'part.backup');
    const { code, out, err } = await interrupted(['backup', file]);
    expect([code, out, err]).toEqual([130, '', 'Interrupted; no backup was written.\n']);
    expect(existsSync(file)).toBe(false);
  });

  test('a restore, which leaves the database as it was', async () => {
    const before = await documentCount();
    const { code, out, err } = await interrupted(['restore', whole, '--replace']);
    expect([code, out, err]).toEqual([130, '', 'Interrupted; the database is unchanged.\n']);
    expect(await documentCount()).toBe(before);
    expect(before).toBeGreaterThan(0);
  });

  test('an export, which says what is left of it', async () => {
    const to = join(folder, 'exported');
    const { code, out, err } = await interrupted(['export', to]);
    expect([code, out, err]).toEqual([130, '', `Interrupted; the export in ${to} is incomplete.\n`]);
  });
});
