import { expect, test } from '@jest/globals';
import { filesBelow, read, rowsBehind } from './tree.ts';

const isTagged = (file: string): boolean => read(file).startsWith('/** @group every-database, fallback */\n');

test('Every noun with tests over HTTP has a file that runs on every kind of database', () => {
  const tests = filesBelow('test').filter((file) => file.endsWith('.test.ts'));
  const nouns = rowsBehind('## Nouns').map(([noun]) => noun);
  const missing = nouns.filter((noun) => {
    const own = tests.filter(
      (file) => /^test\/(?:rest|automation)\//.test(file) && file.includes(`/${noun}/`),
    );
    return own.length > 0 && !own.some(isTagged);
  });
  expect(missing).toEqual([]);
});
