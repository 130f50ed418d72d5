import { describe, expect, test } from '@jest/globals';
import { run, useProcessSettings } from '../db/processes.ts';

const settings = useProcessSettings();

async function reindex(...given: string[]) {
  const { ended, printed } = run('src/cli/quire.ts', settings, ['reindex', ...given]);
  const { code } = await ended;
  return { ...printed, code };
}

describe('quire reindex', () => {
  test('prints what it laid, and what it compared and wrote; a check afterwards finds nothing', async () => {
    expect(await reindex()).toEqual({
      code: 0,
      err: '',
      out: '0 documents laid; searches read the new index.\n',
    });
    expect(await reindex('--mend')).toMatchObject({
      code: 0,
      out: '0 documents compared, 0 rows of the index written.\n',
    });
    expect(await reindex('--check')).toMatchObject({
      code: 0,
      out: '0 documents compared, 0 rows of the index differ.\n',
    });
  });
});
