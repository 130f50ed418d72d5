import { z } from 'zod';
import { textList } from '../../model/values/json-shapes.ts';
import { readListText } from '../../model/values/list-text.ts';

/** Refuses others: what an action ignored would seem to be done. */
export const onlyThese = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `there is no parameter ${keys.slice(0, 20).join(', ').slice(0, 80)}`
        : undefined,
  });

export const requiredText = z
  .string({ error: ({ input }) => ((input ?? null) === null ? 'is missing' : 'is no text') })
  .min(1, 'is missing');

/** A list of names, or a text with commas between them. */
export const names = z.preprocess(
  (given) => (typeof given === 'string' ? readListText(given) : given),
  textList('is no list of texts', 'is no text'),
);

/** As JSON, or as the text of a form. */
export const trueOrFalse = z.union(
  [z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })],
  'is neither true nor false',
);
