/** @group slow */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createDatabase, type Database } from '../../../src/db/database.ts';
import { newMeter } from '../../../src/db/meter.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import { createReads } from '../../../src/db/replicas/reads.ts';
import { type Replicated, startReplicated } from '../../support/cluster.ts';
import { until } from '../../support/until.ts';

jest.setTimeout(240_000);

let clusters: Replicated;
let database: Database;
beforeAll(async () => {
  clusters = await startReplicated();
  database = createDatabase(connectServer(clusters.primary.url, 300), (primary) =>
    createReads(primary, new Map([['there', createDatabase(connectServer(clusters.standby.url, 300))]])),
  );
});
afterAll(async () => {
  await database.close();
  await clusters[Symbol.asyncDispose]();
});

const countQuery = {
  name: '',
  text: 'SELECT count(*)::int AS count, pg_is_in_recovery() AS "isReplica" FROM written',
};

describe('§8 a replica that crashes and restarts with less than it had', () => {
  test('is not used for callers who have seen more, not even by a read that began before the crash', async () => {
    const { primary, standby } = clusters;
    const caller = { user: 'somebody' };
    // After its crash, the standby can only be read in a state that it has flushed; here it flushes nothing.
    await standby.query('ALTER SYSTEM SET bgwriter_lru_maxpages = 0');
    await standby.query('SELECT pg_reload_conf()');
    await primary.query('CREATE TABLE written (number int)');
    await standby.stop();
    await standby.start();
    await primary.query('INSERT INTO written VALUES (1)');
    await database.reads.wrote(caller);
    const count = () => database.reads.run(newMeter(), caller, (db) => db.query(countQuery, []));
    await until(async () => JSON.stringify(await count()) === '[{"count":1,"isReplica":true}]', 30_000);

    // After its restart, the standby applies only as much of the log as a consistent state requires.
    await standby.query(`ALTER SYSTEM SET recovery_min_apply_delay = '1d'`);
    const began: boolean[] = [];
    const answer = await database.reads.run(newMeter(), caller, async (db) => {
      began.push(db.replica !== undefined);
      if (db.replica) {
        await standby.kill();
        await standby.start();
        expect(await standby.query('SELECT FROM written')).toEqual([]);
      }
      return db.query(countQuery, []);
    });
    expect([began, answer]).toEqual([[true, false], [{ count: 1, isReplica: false }]]);
    expect(await count()).toEqual([{ count: 1, isReplica: false }]);
  });
});
