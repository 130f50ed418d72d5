import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { filesBelow, importsOf } from './tree.ts';

const { groupsOf, isIn } = createRequire(import.meta.url)('../support/group.cjs') as {
  groupsOf: (path: string) => string[];
  isIn: (path: string, group: string) => boolean;
};

const tests = filesBelow('test').filter((file) => file.endsWith('.test.ts'));

test('every test file runs either with `npm test` or with `npm run test:slow`', () => {
  const runs = tests.map((file) => ['quick', 'slow'].filter((group) => isIn(file, group)).length);
  expect(new Set(runs)).toEqual(new Set([1]));
});

test('the gate sends every call of REST that has an example to each kind of database', () => {
  expect(groupsOf('test/openapi/examples.test.ts')).toEqual(['every-database']);
});

test('test files name only known groups', () => {
  const named = new Set(tests.flatMap(groupsOf));
  expect([...named].sort()).toEqual(['every-database', 'long', 'own-modules', 'slow']);
});

/** What starts programs of the project, servers of PostgreSQL, and browsers. */
const starting = new Set([
  'test/cli/run-quire.ts',
  'test/db/processes.ts',
  'test/support/browser.ts',
  'test/support/cluster.ts',
  'test/support/small-disk.ts',
]);

test('test files that start programs, servers of PostgreSQL or browsers are slow', () => {
  const quick = tests.filter((file) => isIn(file, 'quick'));
  const found = quick.filter((file) => importsOf(file).some((imported) => starting.has(imported)));
  expect(found).toEqual([]);
});
