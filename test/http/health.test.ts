import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { kill, serve, stockedSettings } from '../db/processes.ts';

/** Asks again and again, until it is stopped; how many answers there were of each status. */
function askOn(url: string): () => Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let goesOn = true;
  const asking = async () => {
    while (goesOn) {
      const { status } = await fetch(url);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  const all = Promise.all(Array.from({ length: 40 }, asking));
  return async () => {
    goesOn = false;
    await all;
    return counts;
  };
}

test('a process that stood still for seconds does not take it for the database’s silence', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quire-health-'));
  const { settings, drop } = await stockedSettings(dataDir);
  const server = await serve({ ...settings, DATA_DIR: dataDir });
  try {
    const stop = askOn(`${server.url}/health/ready`);
    for (let stall = 0; stall < 2; stall += 1) {
      await wait(300);
      server.child.kill('SIGSTOP');
      await wait(2_500); // longer than the database is waited for
      server.child.kill('SIGCONT');
    }
    await wait(300);
    const counts = await stop();
    expect(Object.keys(counts)).toEqual(['200']);
    expect(counts[200]).toBeGreaterThan(40);
  } finally {
    await kill(server);
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 90_000);
