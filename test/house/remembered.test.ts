import { expect, test } from '@jest/globals';
import { read, sourceFiles } from './tree.ts';

const remembering = /new LRUCache\b|createTopicCache[<(]|announcements\.on\(/;

test('the page on architecture names every file that remembers something beyond a request', () => {
  const [, list = ''] =
    /\n- \*\*Caches of rows\*\*([\s\S]*?)\n- \*\*/.exec(read('docs/architecture.md')) ?? [];
  const named = [...list.matchAll(/`([\w/-]+(?:\.ts|\/))`/g)].map(([, path = '']) => `src/${path}`);
  const found = sourceFiles.filter((file) => remembering.test(read(file)));
  expect(found.filter((file) => !named.some((path) => file.startsWith(path)))).toEqual([]);
  expect(named.filter((path) => !sourceFiles.some((file) => file.startsWith(path)))).toEqual([]);
});
