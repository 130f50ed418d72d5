import { z } from 'zod';
import { maxNamedFaults } from '../../errors.ts';

/**
 * Accepts a list of strings without copying it. All items that are not strings are counted, but only the first 100 are
 * reported.
 */
export const textList = (listFault: string, itemFault: string) =>
  z
    .custom<string[]>(Array.isArray, { message: listFault, abort: true })
    .check(({ value, issues }) => {
      let count = 0;
      for (const [index, item] of value.entries()) {
        if (typeof item === 'string') continue;
        count += 1;
        if (count <= maxNamedFaults)
          issues.push({ code: 'custom', message: itemFault, path: [index], input: item });
      }
      if (count > maxNamedFaults)
        issues.push({ code: 'custom', message: `and ${count - maxNamedFaults} more`, input: value });
    })
    .meta({ type: 'array', items: { type: 'string' } });
