/** @group slow */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/embedded/open-database.ts';
import { ask, processSettings, run, serve } from './processes.ts';

/** Settings of processes on a database that a newer release has migrated. */
async function newerDatabase(oldestBuild: string) {
  const shared = await processSettings({ isStocked: true });
  const { database } = await openDatabase(readConfig(shared.settings));
  await database.query(
    {
      name: '',
      text: `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, oldest_build)
             VALUES ($1, '', '99990101000000_made_up', now(), $2)`,
    },
    [randomUUID(), oldestBuild],
  );
  await database.close();
  return shared;
}

describe('A database that a newer release has migrated', () => {
  test.each([
    ['the server', 'src/serve.ts', []],
    ['quire migrate', 'src/cli/quire.ts', ['migrate']],
  ])('stops %s with a message', async (_, program, args) => {
    await using shared = await newerDatabase('99.10.0');
    const started = run(program, { PORT: '0', ...shared.settings }, args);
    expect(await started.ended).toEqual({ code: 1, signal: null });
    expect(started.printed.err).toMatch(
      /This is build \d+\.\d+\.\d+, .* 99990101000000_made_up needs build 99\.10\.0 or a later one/,
    );
    expect(started.printed.err).not.toMatch(/^ {4}at /m);
  });

  test('is not served when the file of a migration was edited after it was applied', async () => {
    await using shared = await processSettings({ isStocked: true });
    const { database } = await openDatabase(readConfig(shared.settings));
    const text =
      "UPDATE _prisma_migrations SET checksum = 'of another text' WHERE migration_name ~ '_search_bounds$'";
    await database.query({ name: '', text }, []);
    await database.close();
    const started = run('src/serve.ts', { PORT: '0', ...shared.settings });
    expect(await started.ended).toEqual({ code: 1, signal: null });
    expect(started.printed.err).toMatch(
      /The migration \d+_search_bounds was edited after this database had applied it/,
    );
    expect(started.printed.err).not.toMatch(/^ {4}at /m);
  });

  test('is served when its migrations allow this build', async () => {
    await using shared = await newerDatabase('0.0.9');
    await using server = await serve(shared.settings);
    expect((await ask(server.url, '/api/v1/path/default-domain')).status).toBe(200);
  });
});
