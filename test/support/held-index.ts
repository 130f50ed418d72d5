import { EventEmitter, once } from 'node:events';
import { lockSearchIndex } from '../../src/store/row-locks/advisory-locks.ts';
import type { TestServer } from './server.ts';

/** Does work while nothing is written into the search index. */
export async function withIndexHeld<T>(
  { database }: Pick<TestServer, 'database'>,
  work: () => Promise<T>,
): Promise<T> {
  const signals = new EventEmitter();
  const locked = once(signals, 'locked');
  const held = database.transaction(120, async (client) => {
    await lockSearchIndex(client);
    const released = once(signals, 'released');
    signals.emit('locked');
    await released;
  });
  await Promise.race([locked, held]);
  try {
    return await work();
  } finally {
    signals.emit('released');
    await held;
  }
}
