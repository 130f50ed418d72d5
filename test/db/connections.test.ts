import { expect, test } from '@jest/globals';
import { connectionsOfAll, connectionsOfFirst, connectionsOfWorker } from '../../src/db/connections.ts';

test.each([
  [10, 1, 10, undefined],
  [10, 2, 4, 3],
  [20, 4, 4, 4],
  [10, 4, 2, 2],
  [9, 3, 3, 2],
  [100, 4, 4, 24],
])(
  'of %i connections and %i workers the first process has %i, and each other one %s',
  (all, workers, first, each) => {
    const settings = { DATABASE_CONNECTIONS: all, WORKERS: workers };
    expect(connectionsOfFirst(settings)).toBe(first);
    if (each === undefined) return;
    expect(connectionsOfWorker(settings)).toBe(each);
    expect(first + workers * each).toBeLessThanOrEqual(all);
  },
);

test('Every process has at least two connections, whatever the setting', () => {
  const settings = { DATABASE_CONNECTIONS: 3, WORKERS: 2 };
  expect([connectionsOfFirst(settings), connectionsOfWorker(settings)]).toEqual([2, 2]);
});

test.each([
  [10, 1, 13],
  [10, 2, 4 + 3 + 2 * 2 * (3 + 3)],
  [1000, 64, 4 + 3 + 2 * 64 * (15 + 3)],
])(
  'with %i connections and %i workers, the embedded database allows all processes to be replaced',
  (all, workers, needed) => {
    const admitted = connectionsOfAll({ DATABASE_CONNECTIONS: all, WORKERS: workers });
    expect(admitted).toBeGreaterThanOrEqual(needed + all + 3); // a command beside it
  },
);
