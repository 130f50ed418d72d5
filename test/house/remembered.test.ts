import { expect, test } from '@jest/globals';
import { read, sourceFiles } from './tree.ts';

const remembering = /new LRUCache\b|createTopicCache[<(]|announcements\.on\(/;

test('CONTRIBUTING.md names every file that remembers something beyond a request', () => {
  const named = [...read('CONTRIBUTING.md').matchAll(/`(src\/[\w/-]+\.ts)`/g)].map(([, file = '']) => file);
  const found = sourceFiles.filter((file) => remembering.test(read(file)));
  expect(found.filter((file) => !named.includes(file))).toEqual([]);
  expect(named.filter((file) => !sourceFiles.includes(file))).toEqual([]);
});
