/** @group slow */
import { describe, expect, test } from '@jest/globals';
import { useProcessSettings } from '../db/processes.ts';
import { quire, quireProcess } from './run-quire.ts';

const settings = useProcessSettings();

const reindex = (...given: string[]) => quire(['reindex', ...given], settings);

describe('quire reindex', () => {
  test('prints what it laid, and what it compared and wrote; a check afterwards finds nothing', async () => {
    expect(await quireProcess(['reindex'], settings)).toEqual({
      code: 0,
      err: '',
      out: '0 documents indexed; searches use the new index.\n',
    });
    expect(await reindex('--repair')).toMatchObject({
      code: 0,
      out: '0 documents compared, 0 rows of the index written.\n',
    });
    expect(await reindex('--check')).toMatchObject({
      code: 0,
      out: '0 documents compared, 0 rows of the index differ.\n',
    });
  });

  test.each([
    ['--check', '--repair'],
    ['--text', '--check'],
    ['--text', '--repair'],
    ['--check', '--connections', '2'],
  ])('refuses %s with %s', async (...given) => {
    const { code, out, err } = await reindex(...given);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: option '--\w+( <number>)?' cannot be used with option '--\w+'\n$/);
  });
});
