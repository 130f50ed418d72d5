import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../src/automation/index.ts';
import { mutations } from './mutations/index.ts';

const here = new URL('.', import.meta.url);

/** The first line of each `describe` below this folder, and the first words of its test titles. */
async function described(): Promise<Array<{ about: string; tests: string[] }>> {
  const names = (await readdir(here, { recursive: true })).filter((name) => name.endsWith('.test.ts'));
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

/** The operations that `mutations.test.ts` does not test. */
const others = operations.filter(({ id }) => !Object.hasOwn(mutations, id));

describe('The tests of operations', () => {
  test.each(others.map(({ id }) => id))('cover the answers, the needs and the refusals of %s', async (id) => {
    const own = (await described()).filter(({ about }) => about.includes(`'${id}'`));
    const words = own.flatMap(({ tests }) => tests);
    for (const word of ['answers', 'needs', 'refuses'])
      expect([id, words]).toEqual([id, expect.arrayContaining([word])]);
  });
});
