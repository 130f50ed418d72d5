import { afterEach, beforeEach, expect } from '@jest/globals';
import type { TestServer } from '../support/server.ts';
import { contradictions } from './consistency.ts';

/** Transactions that the database ended because each waited for the other. */
const deadlocks = async ({ database }: TestServer): Promise<number> => {
  const query = {
    name: '',
    text: 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  };
  return (await database.query<{ deadlocks: number }>(query, []))[0]?.deadlocks ?? 0;
};

/** Fails each test of a file after which the tables contradict each other, or in which transactions waited in a circle. */
export function withoutDeadlocks(serverOf: () => TestServer): void {
  let before: number;
  beforeEach(async () => {
    before = await deadlocks(serverOf());
  });
  afterEach(async () => {
    expect(await contradictions(serverOf())).toEqual([]);
    expect((await deadlocks(serverOf())) - before).toBe(0);
  });
}
