import { z } from 'zod';
import { readListText } from '../../model/values/list-text.ts';

/** A list of names, or a text with commas between them. */
export const names = z.preprocess(
  (given) => (typeof given === 'string' ? readListText(given) : given),
  z.array(z.string()),
);

/** As JSON, or as the text of a form. */
export const trueOrFalse = z.union(
  [z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })],
  'is neither true nor false',
);
