import { z } from 'zod';
import { textList } from '../../model/values/json-shapes.ts';
import { readListText } from '../../model/values/list-text.ts';

/**
 * An object schema that rejects unknown parameters, because callers would expect a parameter to have an effect if it
 * were silently ignored.
 */
export const onlyThese = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `there is no parameter ${keys.slice(0, 20).join(', ').slice(0, 80)}`
        : undefined,
  });

export const requiredString = z
  .string({ error: ({ input }) => ((input ?? null) === null ? 'is missing' : 'must be a string') })
  .min(1, 'is missing');

/** A list of names, given as an array or as a comma-separated string. */
export const names = z.preprocess(
  (input) => (typeof input === 'string' ? readListText(input) : input),
  textList('must be a list of strings', 'must be a string'),
);

/** A boolean, given as JSON or as the string value of a form field. */
export const trueOrFalse = z.union(
  [z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })],
  'must be true or false',
);
