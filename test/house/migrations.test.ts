import { expect, test } from '@jest/globals';
import { isOlderBuild, oldestBuildOf } from '../../src/db/migration-files.ts';
import { filesBelow, read } from './tree.ts';

const migrations = filesBelow('prisma/migrations')
  .filter((file) => file.endsWith('/migration.sql'))
  .map((file) => ({ name: file.split('/').at(-2) ?? '', sql: read(file) }));

const { version } = JSON.parse(read('package.json')) as { version: string };

test('The first line of each migration names the oldest build that works on its tables', () => {
  const unmarked = migrations.filter((migration) => oldestBuildOf(migration) === undefined);
  expect(unmarked.map(({ name }) => name)).toEqual([]);
});

test('No migration needs a build that is newer than this one', () => {
  const tooNew = migrations.filter((migration) => isOlderBuild(version, oldestBuildOf(migration) ?? '0.0.0'));
  expect(tooNew.map(({ name }) => name)).toEqual([]);
  expect(migrations.length).toBeGreaterThan(2);
});
