import { expect, test } from '@jest/globals';
import { filesBelow, read } from './tree.ts';

const tests = filesBelow('test').filter((file) => file.endsWith('.test.ts'));

const groupsOf = (file: string): string[] =>
  /^\/\*\* @group (.*) \*\/\n/.exec(read(file))?.[1]?.split(', ') ?? [];

test('every call of REST that has an example is sent to every kind of database', () => {
  expect(groupsOf('test/openapi/examples.test.ts')).toEqual(['every-database']);
});

test('test files name no groups but these', () => {
  const named = new Set(tests.flatMap(groupsOf));
  expect([...named].sort()).toEqual(['every-database', 'own-modules']);
});
