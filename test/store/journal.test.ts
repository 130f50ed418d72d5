import { describe, expect, test } from '@jest/globals';
import type { Query } from '../../src/db/database.ts';
import type { Entry } from '../../src/store/audit.ts';
import { createJournal, type Journal } from '../../src/store/journal.ts';
import { until } from '../support/until.ts';

const minute = 60_000;
const document = {
  ...{ repository: 'default', uid: '00000000-0000-4000-8000-000000000001', path: '/a', type: 'File' },
  ...{ state: 'project', facets: [] },
};

/** A journal over what stands for a database here, which can be away. */
function journalOf(): {
  journal: Journal;
  written: Entry[];
  errors: unknown[];
  clock: { time: number };
  database: { isAway: boolean };
} {
  const [written, errors]: [Entry[], unknown[]] = [[], []];
  const [clock, database] = [{ time: 0 }, { isAway: false }];
  const query = async <Row>(_: Query, [entries]: readonly unknown[]): Promise<Row[]> => {
    if (database.isAway) throw new Error('away');
    written.push(...(JSON.parse(String(entries)) as Entry[]));
    return [];
  };
  const journal = createJournal({ query }, (error) => errors.push(error), { now: () => clock.time });
  return { journal, written, errors, clock, database };
}

describe('the journal', () => {
  const login = { username: 'ann', method: 'basic', address: '192.0.2.1' };
  const download = { username: 'ann', document, name: 'a', digest: 'd' };

  test('writes by itself within a second or two', async () => {
    const { journal, written } = journalOf();
    journal.loggedIn(login);
    expect(written).toEqual([]);
    await until(() => written.length === 1);
    await journal.close();
  });

  test('keeps failures until their minute is over, unless it ends', async () => {
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

  test('takes the same within a minute for the same', async () => {
    const { journal, written, clock } = journalOf();
    for (const time of [0, minute - 1, minute, 2 * minute - 1]) {
      clock.time = time;
      journal.loggedIn(login);
      journal.downloaded({ ...download, isPart: false });
    }
    await journal.close();
    expect(written.map(({ event_id }) => event_id)).toEqual([
      ...['loginSuccess', 'download', 'loginSuccess', 'download'],
    ]);
  });

  test('takes parts of a file within an hour of each other for one download', async () => {
    const { journal, written, clock } = journalOf();
    for (let time = 0; time < 200; time += 30) {
      clock.time = time * minute;
      journal.downloaded({ ...download, isPart: true });
    }
    clock.time += 61 * minute;
    journal.downloaded({ ...download, isPart: true });
    await journal.close();
    expect(written).toHaveLength(2);
  });

  test('keeps what cannot be written, says so once, and writes it later', async () => {
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

  test('takes no more than so much, whoever calls how often', async () => {
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

  test('does not tell of files that only the server looks at', async () => {
    const { journal, written } = journalOf();
    const hidden = { ...document, facets: ['SystemDocument'] };
    journal.downloaded({ ...download, document: hidden, isPart: false });
    await journal.close();
    expect(written).toEqual([]);
  });
});
