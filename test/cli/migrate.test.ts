/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { useProcessSettings } from '../db/processes.ts';
import { quire, quireProcess } from './run-quire.ts';

const settings = useProcessSettings();

const migrate = (more: Record<string, string> = {}) => quire(['migrate'], { ...settings, ...more });

describe('quire migrate', () => {
  test('prints what it applied, then that there is nothing to do, and exits with 0', async () => {
    const nothing = 'Nothing to do: the tables are up to date.\n';
    const first = await quireProcess(['migrate'], settings);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^Applied:\n\d{14}_baseline\n(\d{14}_\w+\n)*$/);
    const second = await migrate();
    expect(second).toMatchObject({ code: 0, err: '', out: nothing });
  });

  test.each([
    [
      'faults of the configuration, all at once',
      { PORT: 'x', BODY_LIMIT: 'y' },
      [/^PORT\b/m, /^BODY_LIMIT\b/m],
    ],
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/b' },
      [/ECONNREFUSED/],
    ],
    ['an invalid database URL', { DATABASE_URL: 'mysql://localhost/x' }, [/^DATABASE_URL\b/m]],
  ])('reports %s on stderr without a stack, and exits with 1', async (_, more, wanted) => {
    const { code, out, err } = await migrate(more);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    for (const pattern of wanted) expect(err).toMatch(pattern);
    expect(err).not.toMatch(/^ {4}at /m);
    expect(err).not.toContain('secret');
  });
});
