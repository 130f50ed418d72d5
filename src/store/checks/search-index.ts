import { compareIndex } from '../search/compare-index.ts';
import type { Check } from './check.ts';

/**
 * Compares the search index with the documents. Changes that are still waiting to be indexed do not count as faults.
 */
export const indexCheck: Check = {
  name: 'index',
  run: async ({ database, isRepairing, textTypes, analysis, signal, onProgress, onFault }) => {
    const { differing } = await compareIndex(database, {
      isCheck: !isRepairing,
      ...(textTypes !== undefined && { textTypes }),
      analysis,
      signal,
      onProgress: ({ documents }) => onProgress(documents),
    });
    if (differing > 0)
      onFault({
        kind: 'index',
        message: `${differing} rows of the search index differ from their documents`,
        isRepaired: isRepairing,
      });
    return undefined;
  },
};
