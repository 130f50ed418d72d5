import { z } from 'zod';
import { maxNamedFaults } from '../../errors.ts';

/** A list of strings, which is not copied. The first 100 items that are not strings are named, and all are counted. */
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
