import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../src/automation/index.ts';
import { mutations } from './mutations/index.ts';

const here = new URL('.', import.meta.url);

/** What each `describe` of this folder says it is about, and what its tests are called. */
async function described(): Promise<Array<{ about: string; tests: string[] }>> {
  const names = (await readdir(here)).filter((name) => name.endsWith('.test.ts'));
  const sources = await Promise.all(names.map((name) => readFile(new URL(name, here), 'utf8')));
  return sources.flatMap((source) => {
    const each = /const good[^=]*= \{(.*?)\n\};/s.exec(source)?.[1] ?? '';
    return source
      .split(/^describe/m)
      .slice(1)
      .map((block) => ({
        about: (block.split('\n', 1)[0] ?? '').replace('Object.entries(good)', each),
        tests: [...block.matchAll(/\btest(?:\.each\b[\s\S]*?\]\))?\(\s*['"](\w+)/g)].map(
          ([, word = '']) => word,
        ),
      }));
  });
}

/** Those that `mutations.test.ts` does not try already. */
const others = operations.filter(({ id }) => !Object.hasOwn(mutations, id));

describe('the tests of operations', () => {
  test.each(others.map(({ id }) => id))('%s: what it answers, what it needs, what it refuses', async (id) => {
    const own = (await described()).filter(({ about }) => about.includes(`'${id}'`));
    const words = own.flatMap(({ tests }) => tests);
    for (const word of ['answers', 'needs', 'refuses'])
      expect([id, words]).toEqual([id, expect.arrayContaining([word])]);
  });
});
