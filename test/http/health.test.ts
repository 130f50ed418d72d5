/** @group slow */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { processSettings, serve } from '../db/processes.ts';

/** Sends requests until it is stopped; returns the number of answers of each status. */
function askOn(url: string): () => Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let goesOn = true;
  const asking = async () => {
    while (goesOn) {
      const { status } = await fetch(url);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  const all = Promise.all(Array.from({ length: 8 }, asking));
  return async () => {
    goesOn = false;
    await all;
    return counts;
  };
}

test('readiness stays 200 after the process itself was suspended for seconds', async () => {
  await using database = await processSettings({ isStocked: true });
  await using server = await serve(database.settings);
  const stop = askOn(`${server.url}/health/ready`);
  for (let stall = 0; stall < 2; stall += 1) {
    await wait(300);
    server.child.kill('SIGSTOP');
    await wait(2_500); // longer than the time limit of the database
    server.child.kill('SIGCONT');
  }
  await wait(300);
  const counts = await stop();
  expect(Object.keys(counts)).toEqual(['200']);
  expect(counts[200]).toBeGreaterThan(8);
});
