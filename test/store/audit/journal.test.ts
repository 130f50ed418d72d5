import { describe, expect, test } from '@jest/globals';
import type { Statement } from '../../../src/db/statement.ts';
import type { Journal } from '../../../src/services.ts';
import type { NewLogEntry } from '../../../src/store/audit/audit.ts';
import { createJournal } from '../../../src/store/audit/journal.ts';
import { until } from '../../support/until.ts';

const minute = 60_000;
const document = {
  repository: 'default',
  uid: '00000000-0000-4000-8000-000000000001',
  path: '/a',
  type: 'File',
  state: 'project',
  facets: [],
};

/** A journal over a fake database that can be unavailable. */
function journalOf(): {
  journal: Journal;
  written: NewLogEntry[];
  errors: unknown[];
  clock: { time: number };
  database: { isAway: boolean };
} {
  const [written, errors]: [NewLogEntry[], unknown[]] = [[], []];
  const [clock, database] = [{ time: 0 }, { isAway: false }];
  const query = async <Row>(_: Statement, [entries]: readonly unknown[]): Promise<Row[]> => {
    if (database.isAway) throw new Error('away');
    written.push(...(JSON.parse(String(entries)) as NewLogEntry[]));
    return [];
  };
  const journal = createJournal({ query }, (error) => errors.push(error), { now: () => clock.time });
  return { journal, written, errors, clock, database };
}

describe('The journal', () => {
  const login = { username: 'ann', method: 'basic', address: '192.0.2.1' };
  const download = { username: 'ann', document, name: 'a', digest: 'd' };

  test('writes entries on its own within two seconds', async () => {
    const { journal, written } = journalOf();
    journal.loggedIn(login);
    expect(written).toEqual([]);
    await until(() => written.length === 1);
    await journal.close();
  });

  test('keeps failed log-ins for a minute, or until it is closed', async () => {
    const { journal, written, clock } = journalOf();
    journal.loginFailed('192.0.2.1', 'ann');
    journal.loggedIn(login);
    await until(() => written.length === 1);
    journal.loginFailed('192.0.2.1', 'ann');
    clock.time += minute;
    await until(() => written.length === 2);
    expect(written[1]).toMatchObject({ event_id: 'loginFailed', extended: { count: 2 } });
    journal.loginFailed('192.0.2.1', 'ann');
    await journal.close();
    expect(written[2]).toMatchObject({ event_id: 'loginFailed', extended: { count: 1 } });
  });

  test('merges equal log-ins and downloads within a minute', async () => {
    const { journal, written, clock } = journalOf();
    for (const time of [0, minute - 1, minute, 2 * minute - 1]) {
      clock.time = time;
      journal.loggedIn(login);
      journal.downloaded({ ...download, isRange: false });
    }
    await journal.close();
    expect(written.map(({ event_id }) => event_id)).toEqual([
      'loginSuccess',
      'download',
      'loginSuccess',
      'download',
    ]);
  });

  test('merges ranges of a file with less than an hour between them into one download', async () => {
    const { journal, written, clock } = journalOf();
    for (let time = 0; time < 200; time += 30) {
      clock.time = time * minute;
      journal.downloaded({ ...download, isRange: true });
    }
    clock.time += 61 * minute;
    journal.downloaded({ ...download, isRange: true });
    await journal.close();
    expect(written).toHaveLength(2);
  });

  test('keeps entries that cannot be written, reports one error, and writes them later', async () => {
    const { journal, written, errors, database } = journalOf();
    database.isAway = true;
    journal.loggedIn(login);
    await journal.flush();
    journal.loginFailed('192.0.2.1', 'ann');
    await journal.flush();
    expect(errors).toHaveLength(1);
    database.isAway = false;
    await journal.close();
    expect(written.map(({ event_id }) => event_id)).toEqual(['loginSuccess', 'loginFailed']);
  });

  test('limits the number of pending entries', async () => {
    const { journal, written } = journalOf();
    for (let count = 0; count < 20_000; count += 1) {
      journal.loginFailed('192.0.2.1', `user ${count}`);
      journal.loggedIn({ ...login, username: `user ${count}` });
    }
    await journal.close();
    const failures = written.filter(({ event_id }) => event_id === 'loginFailed');
    expect(failures).toHaveLength(1001);
    expect(failures.at(-1)).toMatchObject({ principal_name: '', extended: { count: 19_000 } });
    expect(written.length - failures.length).toBe(10_000);
  });

  test('omits downloads of hidden documents', async () => {
    const { journal, written } = journalOf();
    const hidden = { ...document, facets: ['SystemDocument'] };
    journal.downloaded({ ...download, document: hidden, isRange: false });
    await journal.close();
    expect(written).toEqual([]);
  });
});
