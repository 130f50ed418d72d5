import { compareIndex } from '../search/compare-index.ts';
import type { Check } from './check.ts';

/**
 * Compares the search index with the documents. Changes that are still waiting to be indexed do not count as faults.
 */
export const indexCheck: Check = {
  name: 'index',
  run: async ({ database, isMending, textTypes, analysis, signal, onProgress, onFault }) => {
    const { mended } = await compareIndex(database, {
      isCheck: !isMending,
      ...(textTypes !== undefined && { textTypes }),
      analysis,
      signal,
      onProgress: ({ documents }) => onProgress(documents),
    });
    if (mended > 0)
      onFault({
        kind: 'index',
        message: `${mended} rows of the search index differ from their documents`,
        isMended: isMending,
      });
    return undefined;
  },
};
