import type { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { requireStorable } from '../../model/values/storable.ts';

/** @throws Invalid with the first fault, and the field that has it. */
export function readShape<Shape extends z.ZodType>(shape: Shape, json: unknown): z.output<Shape> {
  const { data, error } = shape.safeParse(json, {
    error: ({ input }) => (input === undefined ? 'is missing' : undefined),
  });
  if (!error) return data;
  const [issue] = error.issues;
  throw new Invalid([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '));
}

/** @throws Invalid */
export function readJson<Shape extends z.ZodType>(shape: Shape, text: string): z.output<Shape> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Invalid(`it is no JSON: ${(error as Error).message}`);
  }
  requireStorable(json);
  return readShape(shape, json);
}
