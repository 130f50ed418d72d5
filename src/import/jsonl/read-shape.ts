import type { z } from 'zod';
import { Invalid, namedFault } from '../../errors.ts';
import { parseJson } from '../../model/values/json-budget.ts';
import { requireStorable } from '../../model/values/storable.ts';

/**
 * Checks JSON against a schema. @throws Invalid with a message that describes the first fault and names its field.
 */
export function readShape<Shape extends z.ZodType>(shape: Shape, json: unknown): z.output<Shape> {
  const { data, error } = shape.safeParse(json, {
    error: ({ input }) => (input === undefined ? 'is missing' : undefined),
  });
  if (!error) return data;
  const { path = [], message = '' } = error.issues[0] ?? {};
  throw new Invalid(path.length > 0 ? namedFault(path.join('.'), message) : message);
}

/**
 * Parses JSON and checks it against a schema.
 * @throws Invalid if the JSON does not match the schema; TooLarge if it has more values than JSON_VALUES_LIMIT.
 */
export function readJson<Shape extends z.ZodType>(shape: Shape, text: string): z.output<Shape> {
  const json = parseJson(text, 'it');
  requireStorable(json);
  return readShape(shape, json);
}
