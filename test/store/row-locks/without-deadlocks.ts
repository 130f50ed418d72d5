import { afterEach, beforeEach, expect } from '@jest/globals';
import type { TestServer } from '../../support/server.ts';
import { contradictions } from '../consistency.ts';

/** The number of transactions that the database has aborted because of deadlocks. */
const deadlocks = async ({ database }: TestServer): Promise<number> => {
  const query = {
    name: '',
    text: 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  };
  return (await database.query<{ deadlocks: number }>(query, []))[0]?.deadlocks ?? 0;
};

/** Fails each test of a file after which tables are inconsistent, or in which a deadlock occurred. */
export function withoutDeadlocks(server: TestServer): void {
  let before: number;
  beforeEach(async () => {
    before = await deadlocks(server);
  });
  afterEach(async () => {
    expect(await contradictions(server)).toEqual([]);
    expect((await deadlocks(server)) - before).toBe(0);
  });
}
