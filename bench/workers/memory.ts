import { setTimeout as wait } from 'node:timers/promises';
import { type Ids, requests } from '../mixes.ts';
import { startOurs } from '../ours.ts';
import { memoryOfAll } from '../processes.ts';
import { run } from './run.ts';
import { usageOf } from './usage.ts';

/** MB of all processes, with more and more workers: before a load, at its end, and half a minute later. */
export async function memories(settings: Parameters<typeof startOurs>[0], ids: Ids): Promise<void> {
  for (const WORKERS of ['2', '3', '4']) {
    const server = await startOurs({ ...settings, WORKERS });
    const held = async (): Promise<number> => Math.round((await memoryOfAll(server.pid)) ?? Number.NaN);
    await wait(5_000);
    const before = await held();
    const pace = { connections: 16 };
    const usage = await usageOf([server]);
    await run({ servers: [server], usage, pace, next: requests('mix', ids) }, 15);
    const atEnd = await held();
    await wait(30_000);
    console.log(`${WORKERS} workers: ${before} MB, after a load ${atEnd} MB, then ${await held()} MB`);
    await server.stop();
  }
}
