import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { databaseSettings, run } from '../db/processes.ts';
import { isOnServer } from '../support/database.ts';

const patience = 90_000;

let dataDir: string;
let settings: Record<string, string>;
let drop: () => Promise<void>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quire-migrate-'));
  const database = await databaseSettings();
  settings = { DATA_DIR: dataDir, ...database.settings };
  drop = database.drop;
}, patience);
afterAll(async () => {
  await drop();
  await rm(dataDir, { recursive: true, force: true });
}, patience);

async function migrate(more: Record<string, string> = {}) {
  const { ended, printed } = run('src/cli/migrate.ts', { ...settings, ...more });
  const { code } = await ended;
  return { ...printed, code };
}

describe('npm run migrate', () => {
  test(
    'names what it applied, if anything, then has nothing to do; exits with 0',
    async () => {
      const nothing = 'Nothing to do: the tables are up to date.\n';
      const first = await migrate();
      expect(first).toMatchObject({ code: 0, err: '' });
      // A new folder of the embedded database is a copy of one that the build has prepared.
      if (isOnServer) expect(first.out).toMatch(/^Applied:\n\d{14}_initial\n(\d{14}_\w+\n)*$/);
      else expect(first.out).toBe(nothing);
      const second = await migrate();
      expect(second).toMatchObject({ code: 0, err: '', out: nothing });
    },
    patience,
  );

  test.each([
    [
      'faults of the configuration, all at once',
      { PORT: 'x', BODY_LIMIT: 'y' },
      [/^PORT: /m, /^BODY_LIMIT: /m],
    ],
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b' },
      [/ECONNREFUSED/],
    ],
    ['an address that is no database', { DATABASE_URL: 'mysql://localhost/x' }, [/^DATABASE_URL: /m]],
  ])(
    'says on stderr of %s, without a stack, and exits with 1',
    async (_, more, wanted) => {
      const { code, out, err } = await migrate(more);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      for (const pattern of wanted) expect(err).toMatch(pattern);
      expect(err).not.toMatch(/^ {4}at /m);
      expect(err).not.toContain('secret');
    },
    patience,
  );
});
